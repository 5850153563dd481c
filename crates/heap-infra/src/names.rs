//! Names as people know them: types without what the compiler wrapped around them, code addresses as numbers.

/// What compilers put around the type in the text of `getStringWithTypeName`, which Chromium takes for a type's
/// name. The `g` became `G` between Chromium 57 and 64. Several compilers may have built the parts of one process,
/// so each name is checked on its own.
const WRAPPINGS: [(&str, &str); 6] = [
    ("const char *WTF::getStringWithTypeName() [T = ", "]"),
    ("const char *WTF::GetStringWithTypeName() [T = ", "]"),
    ("const char* WTF::getStringWithTypeName() [with T = ", "]"),
    ("const char* WTF::GetStringWithTypeName() [with T = ", "]"),
    ("const char *__cdecl WTF::getStringWithTypeName<", ">(void)"),
    ("const char *__cdecl WTF::GetStringWithTypeName<", ">(void)"),
];

/// The type that a recorded type name stands for.
pub(crate) fn type_name(recorded: &str) -> &str {
    WRAPPINGS
        .iter()
        .find_map(|(before, after)| recorded.strip_prefix(before)?.strip_suffix(after))
        .unwrap_or(recorded)
}

/// The address in a frame's name `pc:<hex>`.
pub(crate) fn code_address(name: &str) -> Option<u64> {
    hex(name.strip_prefix("pc:")?)
}

/// A hexadecimal number, with or without `0x`, in any case.
pub(crate) fn hex(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    if digits.starts_with('+') {
        return None;
    }
    u64::from_str_radix(digits, 16).ok()
}
