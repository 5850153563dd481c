mod hotspot;
mod process;
