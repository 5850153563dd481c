mod hotspot;
mod keeper;
mod process;
