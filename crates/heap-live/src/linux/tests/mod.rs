mod hotspot;
mod keeper;
mod process;
mod uv;
