//! Frames and names of a file made here: one function that keeps a frame pointer.

#![allow(clippy::unwrap_used, reason = "a test that fails panics")]

use std::rc::Rc;

use heap_base::Blob;

use super::module::{self, Caller, FP, Module, Place};
use super::{Files, Native};
use crate::elf::Segment;
use crate::memory::Memory;

/// Where the function is, and its length.
const CODE: u64 = 0x40_1000;
const LENGTH: u64 = 32;
/// Where a stack is.
const STACK: u64 = 0x7000_0000;

/// How a function that saves and sets the frame pointer in its first four bytes is described: a CIE with the rules at its
/// begin, an FDE with what changes, and the end of the table.
fn frames() -> Vec<u8> {
    let entry = |body: &[u8]| {
        let mut body = body.to_vec();
        body.resize(body.len().next_multiple_of(8) + 4, 0);
        [&(body.len() as u32).to_le_bytes(), &body[..]].concat()
    };
    // Version 1, no augmentation, alignments 1 and -8, return address in 16; CFA is rsp + 8, the address 8 below it.
    let cie = entry(&[0, 0, 0, 0, 1, 0, 1, 0x78, 16, 0x0c, 7, 8, 0x90, 1]);
    let back = (cie.len() + 4) as u32;
    let head = [&back.to_le_bytes()[..], &CODE.to_le_bytes(), &LENGTH.to_le_bytes()].concat();
    // After one byte rbp is 16 below a CFA of rsp + 16, after three more the CFA is rbp + 16.
    let fde = entry(&[&head[..], &[0x41, 0x0e, 16, 0x86, 2, 0x43, 0x0d, 6]].concat());
    [cie, fde, vec![0; 4]].concat()
}

/// An ELF file with that table, symbols and a build number.
fn file() -> Vec<u8> {
    let names = b"\0.eh_frame\0.symtab\0.strtab\0.shstrtab\0";
    let texts = b"\0_ZN4node5AbortEv\0whole\0data\0";
    let symbol = |name: u32, kind: u8, start: u64, size: u64| {
        let head = [&name.to_le_bytes()[..], &[kind, 0, 1, 0]].concat();
        [&head[..], &start.to_le_bytes(), &size.to_le_bytes()].concat()
    };
    let symbols =
        [symbol(18, 2, CODE - 64, 1024), symbol(1, 2, CODE, LENGTH), symbol(24, 1, CODE, 4)].concat();
    let note =
        [&4u32.to_le_bytes()[..], &4u32.to_le_bytes(), &3u32.to_le_bytes(), b"GNU\0", b"\x01\x02\x03\x04"]
            .concat();
    let mut bytes = vec![0; 64 + 2 * 56];
    let mut put = |part: &[u8]| {
        let at = bytes.len() as u64;
        bytes.extend_from_slice(part);
        (at, part.len() as u64)
    };
    let (note, table) = (put(&note), put(&frames()));
    let parts = [(1, 1, table), (11, 2, put(&symbols)), (19, 3, put(texts)), (27, 3, put(names))];
    let at_sections = bytes.len() as u64;
    bytes.extend([0; 64]);
    for (name, kind, (at, size)) in parts {
        let mut header = vec![0; 64];
        header[0..4].copy_from_slice(&u32::to_le_bytes(name));
        header[4..8].copy_from_slice(&u32::to_le_bytes(kind));
        header[24..32].copy_from_slice(&at.to_le_bytes());
        header[32..40].copy_from_slice(&size.to_le_bytes());
        header[40..44].copy_from_slice(&3u32.to_le_bytes());
        bytes.extend(header);
    }
    bytes[..8].copy_from_slice(b"\x7fELF\x02\x01\x01\0");
    for (at, half) in [(54, 56u16), (56, 2), (58, 64), (60, 5), (62, 4)] {
        bytes[at..at + 2].copy_from_slice(&half.to_le_bytes());
    }
    bytes[32..40].copy_from_slice(&64u64.to_le_bytes());
    bytes[40..48].copy_from_slice(&at_sections.to_le_bytes());
    for (number, (kind, at, address, size)) in
        [(1u32, 0, CODE - 0x1000, 0x2000), (4, note.0, 0, note.1)].into_iter().enumerate()
    {
        let header = &mut bytes[64 + 56 * number..][..56];
        header[0..4].copy_from_slice(&kind.to_le_bytes());
        header[8..16].copy_from_slice(&u64::to_le_bytes(at));
        header[16..24].copy_from_slice(&address.to_le_bytes());
        header[32..40].copy_from_slice(&size.to_le_bytes());
    }
    bytes
}

/// A stack with these words from `STACK` on.
fn memory(words: &[u64]) -> Memory {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let segment = Segment { start: STACK, end: STACK + bytes.len() as u64, offset: 0 };
    Memory::new(Blob::from_bytes(bytes), &[segment])
}

fn place(pc: u64, sp: u64, fp: u64) -> Place {
    Place::new(pc, false).with(fp, Some(sp))
}

#[test]
fn callers_are_found_wherever_a_function_stands() {
    let module = Module::open("/bin/x", Blob::from_bytes(file())).unwrap();
    let memory = memory(&[0, 0, 0x55, 0x4444, 0, 0]);
    // Before the frame pointer is saved, after that, and in the middle.
    for (offset, sp, fp, wanted) in
        [(0, STACK + 24, 0x55, 0x55), (1, STACK + 16, 0x55, 0x55), (8, STACK, STACK + 16, 0x55)]
    {
        let place = place(CODE + offset, sp, fp);
        let Caller::Found(caller) = module.caller(&memory, &place, place.pc) else { panic!("at {offset}") };
        assert_eq!(
            (caller.pc, caller.sp(), caller.register(FP)),
            (0x4444, STACK + 32, Some(wanted)),
            "at {offset}"
        );
        assert!(caller.called, "at {offset}");
    }
    let off = place(CODE + LENGTH, STACK, STACK);
    assert!(matches!(module.caller(&memory, &off, off.pc), Caller::Unknown));
    let lost = place(CODE + 8, STACK, 0x10);
    assert!(matches!(module.caller(&memory, &lost, lost.pc), Caller::Broken), "{lost:?}");
}

#[test]
fn a_frame_that_goes_on_where_a_function_begins_has_its_name() {
    let module = Rc::new(Module::open("/bin/x", Blob::from_bytes(file())).unwrap());
    let name = |address: u64, called| {
        let code = Some((Rc::clone(&module), address - u64::from(called)));
        let mut native = Native::new(&Place::new(address, called), code);
        Files::name(&mut [&mut native]);
        native.function
    };
    let begin = CODE - 64;
    assert_eq!(name(begin, true).as_deref(), Some("whole"));
    assert_eq!(name(begin, false).as_deref(), Some("whole"));
    assert_eq!(name(begin - 1, true), None);
    // Not the one that is called before it begins.
    assert_eq!(name(begin - 1, false), None);
}

#[test]
fn names_are_those_of_the_smallest_function() {
    let module = Module::open("/bin/x", Blob::from_bytes(file())).unwrap();
    let names = module.names(&[CODE + 3, CODE + LENGTH, CODE + 2000]).unwrap();
    assert_eq!(names.get(&(CODE + 3)), Some(&("_ZN4node5AbortEv".to_owned(), CODE)));
    assert_eq!(names.get(&(CODE + LENGTH)), Some(&("whole".to_owned(), CODE - 64)));
    assert_eq!(names.get(&(CODE + 2000)), None);
    assert_eq!(module.address(0x1010), Some(CODE + 0x10));
    assert_eq!(module.address(0x2000), None);
}

#[test]
fn build_numbers_are_found_in_files_and_memory() {
    let bytes = file();
    assert_eq!(module::build_id_of_file(&Blob::from_bytes(bytes.clone())), Some(vec![1, 2, 3, 4]));
    let segment = Segment { start: CODE, end: CODE + bytes.len() as u64, offset: 0 };
    let memory = Memory::new(Blob::from_bytes(bytes), &[segment]);
    assert_eq!(module::build_id_in_core(&memory, CODE), Some(vec![1, 2, 3, 4]));
    assert_eq!(module::build_id_in_core(&memory, CODE - 4096), None);
}

#[test]
fn damaged_files_break_nothing() {
    let sound = file();
    let memory = memory(&[0, 0, 0x55, 0x4444, 0, 0]);
    let tried = |bytes: Vec<u8>| {
        let blob = Blob::from_bytes(bytes);
        module::build_id_of_file(&blob);
        let Ok(module) = Module::open("/bin/x", blob) else { return };
        for offset in [0, 1, 8] {
            let place = place(CODE + offset, STACK, STACK + 16);
            module.caller(&memory, &place, place.pc);
        }
        let _ = module.names(&[CODE]);
    };
    for end in 0..sound.len() {
        tried(sound[..end].to_vec());
    }
    for at in 0..sound.len() {
        for value in [0, 1, 0x7f, 0x80, 0xff] {
            let mut bytes = sound.clone();
            bytes[at] = value;
            tried(bytes);
        }
    }
}
