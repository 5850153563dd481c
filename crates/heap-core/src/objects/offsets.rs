//! Where fields of objects are that this reader needs, by version.

use heap_base::Result;

use crate::constants::Constants;

use super::CodeOffsets;

/// Byte offsets from the untagged start of an object, and word indices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offsets {
    pub(crate) function_shared: u64,
    pub(crate) function_context: u64,
    /// Only in maps that say so.
    pub(crate) function_prototype: u64,
    pub(crate) shared_name: u64,
    pub(crate) shared_script: u64,
    pub(crate) script_source: u64,
    pub(crate) script_name: u64,
    pub(crate) script_line_ends: u64,
    /// First bytecode.
    pub(crate) bytecodes: u64,
    /// Table of source positions, in a bytecode array.
    pub(crate) positions: u64,
    /// First name in a scope, in words behind the map.
    pub(crate) scope_names: u64,
    /// Whether the flags of a scope are a plain number, and its positions come before the names.
    pub(crate) scope_flat: bool,
    pub(crate) uncompiled_start: u64,
    /// First entry of a dictionary of names, and of numbers, as element.
    pub(crate) names_first: u64,
    pub(crate) numbers_first: u64,
    /// First descriptor.
    pub(crate) descriptors: u64,
    /// Kind of elements that are a dictionary.
    pub(crate) dictionary_elements: u8,
    pub(crate) buffer_length: u64,
    pub(crate) buffer_store: u64,
    /// Fields of views: offset and length in bytes.
    pub(crate) view_offset: u64,
    pub(crate) view_length: u64,
    /// Whether a date holds its number itself.
    pub(crate) date_raw: bool,
    pub(crate) code: CodeOffsets,
}

impl Offsets {
    /// Takes them from the constants.
    ///
    /// # Errors
    /// Constants that are missing.
    pub(crate) fn new(constants: &Constants) -> Result<Self> {
        let need = |name: &str| constants.need(name).map(u64::from);
        let or = |name: &str, other: i32| constants.any(&[name]).unwrap_or(other) as u64;
        let first = need("scopeinfo_idx_first_vars")?;
        let flat = first >= 5;
        let name_prefix = need("namedictionaryshape_prefix_size")?;
        let number_prefix = need("numberdictionaryshape_prefix_size")?;
        let script = constants
            .any(&["class_SharedFunctionInfo__script_or_debug_info", "class_SharedFunctionInfo__script"]);
        let bytecodes = need("class_BytecodeArray__data")?;
        // Relocations came first until code moved to the trusted space.
        let data = if constants.instance_type("CODE_WRAPPER").is_some() { 8 } else { 16 };
        let old = constants.instance_type("INSTRUCTION_STREAM").is_none();
        let code = CodeOffsets {
            data,
            positions: data + 8,
            inlined: or("DeoptimizationDataInliningPositionsIndex", 7),
            literals: or("DeoptimizationDataLiteralArrayIndex", 2),
            flags: or("class_Code__flags", 48),
            size: or("class_Code__instruction_size", 56),
            inside: old.then(|| or("class_Code__instruction_start", 128)),
            stream: or("class_InstructionStream__instruction_start", 32),
            baseline: or("CodeKindBaseline", 11) as u32,
        };
        Ok(Self {
            function_shared: need("class_JSFunction__shared")?,
            function_context: need("class_JSFunction__context")?,
            function_prototype: need("class_JSFunction__prototype_or_initial_map")?,
            shared_name: need("class_SharedFunctionInfo__name_or_scope_info")?,
            shared_script: script.unwrap_or(32) as u64,
            script_source: need("class_Script__source")?,
            script_name: need("class_Script__name")?,
            script_line_ends: need("class_Script__line_ends")?,
            bytecodes,
            // Three words were put before it when bytecode moved to the trusted space.
            positions: if bytecodes >= 64 { 24 } else { 32 },
            scope_names: first + 1,
            scope_flat: flat,
            uncompiled_start: or("class_UncompiledData__start_position", 16),
            names_first: 3 + name_prefix,
            numbers_first: 3 + number_prefix,
            descriptors: or("class_DescriptorArray__header_size", 24),
            dictionary_elements: or("elements_dictionary_elements", 13) as u8,
            buffer_length: need("class_JSArrayBuffer__byte_length")?,
            buffer_store: need("class_JSArrayBuffer__backing_store")?,
            view_offset: need("class_JSArrayBufferView__byte_offset")?,
            view_length: need("class_JSArrayBufferView__byte_length")?,
            date_raw: flat,
            code,
        })
    }
}
