//! What an instance type means to this reader.

use crate::constants::Constants;

/// Kinds of objects that are read in a way of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// An unused area.
    Unused,
    /// A string; the bits of its type say more.
    String,
    Symbol,
    HeapNumber,
    BigInt,
    Oddball,
    /// The hole, where it is no oddball.
    Hole,
    Map,
    /// Words only, which may be weak.
    Array,
    /// Nothing but bytes.
    Raw,
    /// The scope of a function's variables.
    Context,
    Descriptors,
    PropertyArray,
    /// Elements that are 64-bit floats.
    Doubles,
    Bytecode,
    /// What describes machine code; in old versions the code, too.
    Code,
    /// The instructions of code that another object describes.
    Instructions,
    /// What changes of code whose object does not.
    CodeData,
    ScopeInfo,
    SharedFunctionInfo,
    Script,
    EphemeronTable,
    /// A pointer into other memory.
    Foreign,
    AccessorPair,
    PropertyCell,
    FeedbackCell,
    FunctionTemplate,
    WeakCell,
    AllocationSite,
    NativeContext,
    /// Fixed fields, all words.
    Struct,
    /// From here on objects of JavaScript.
    JsObject,
    JsFunction,
    JsBoundFunction,
    JsArray,
    JsArrayBuffer,
    JsTypedArray,
    JsDataView,
    JsDate,
    JsRegExp,
    JsMap,
    JsSet,
    JsWeakCollection,
    JsWeakRef,
    JsPromise,
    JsProxy,
    JsGlobalObject,
    JsPrimitiveWrapper,
    JsGenerator,
    JsError,
    JsApiObject,
}

impl Kind {
    /// Whether this is an object of JavaScript, with properties and elements.
    pub(crate) fn is_js(self) -> bool {
        self as u8 >= Self::JsObject as u8
    }

    /// What an object is called of which no prototype says anything, if that is more than `Object`.
    pub(crate) fn class(self) -> Option<&'static str> {
        Some(match self {
            Self::JsArray => "Array",
            Self::JsArrayBuffer => "ArrayBuffer",
            Self::JsDataView => "DataView",
            Self::JsDate => "Date",
            Self::JsError => "Error",
            // The state of an asynchronous function is one, too.
            Self::JsGenerator => "Generator",
            Self::JsMap => "Map",
            Self::JsSet => "Set",
            _ => return None,
        })
    }

    /// The kind of each instance type.
    pub(crate) fn table(constants: &Constants) -> Vec<Self> {
        let named = |name: &str| constants.instance_type(name);
        let mut kinds = vec![Self::Struct; 4096];
        kinds[..128].fill(Self::String);
        // The least type of an object of JavaScript; those above without names of their own are objects too.
        let is_js = |name: &str| name.starts_with("JS_") || name.starts_with("WASM_STRUCT");
        let first = constants.instance_types().filter(|(n, _)| is_js(n)).map(|(_, n)| n).min();
        if let Some(first) = first {
            kinds.iter_mut().skip(usize::from(first)).for_each(|kind| *kind = Self::JsObject);
        }
        let mut set = |at: Option<u16>, kind: Self| {
            if let Some(slot) = at.and_then(|at| kinds.get_mut(usize::from(at))) {
                *slot = kind;
            }
        };
        if let Some(first) = named("FIXED_ARRAY") {
            let next = constants.instance_types().map(|(_, n)| n).filter(|&n| n > first).min();
            for at in first..next.unwrap_or(first + 1) {
                set(Some(at), Self::Array);
            }
            set(Some(first + 2), Self::EphemeronTable);
        }
        if let (Some(first), Some(last)) =
            (constants.any(&["FirstContextType"]), constants.any(&["LastContextType"]))
        {
            for at in first..=last.min(first + 32) {
                set(u16::try_from(at).ok(), Self::Context);
            }
            set(native_context(constants), Self::NativeContext);
        }
        let first = constants.any(&["FirstJSFunctionType", "type_JS_FUNCTION_TYPE"]);
        let last = constants.any(&["LastJSFunctionType"]).or(first.map(|n| n + 16));
        if let (Some(first), Some(last)) = (first, last) {
            for at in first..=last.min(first + 32) {
                set(u16::try_from(at).ok(), Self::JsFunction);
            }
        }
        set(named("SYMBOL").map(|n| n + 1), Self::BigInt);
        set(named("WEAK_FIXED_ARRAY").map(|n| n + 1), Self::Array);
        set(named("FEEDBACK_VECTOR").map(|n| n + 1), Self::Unused);
        set(named("FEEDBACK_VECTOR").map(|n| n + 2), Self::Unused);
        set(named("FEEDBACK_VECTOR").map(|n| n - 1), Self::Raw);
        for (name, kind) in NAMED {
            set(named(name), *kind);
        }
        // Where holes have no name, their number is the third behind that of feedback vectors.
        if named("HOLE").is_none() && constants.any(&["OddballTheHole"]).is_none() {
            set(named("FEEDBACK_VECTOR").map(|n| n + 3), Self::Hole);
        }
        kinds
    }
}

/// The type of the scope of all scopes.
pub(crate) fn native_context(constants: &Constants) -> Option<u16> {
    constants.any(&["FirstContextType"]).and_then(|first| u16::try_from(first + 7).ok())
}

/// Types that have names.
const NAMED: &[(&str, Kind)] = &[
    ("FREE_SPACE", Kind::Unused),
    ("SYMBOL", Kind::Symbol),
    ("HEAP_NUMBER", Kind::HeapNumber),
    ("ODDBALL", Kind::Oddball),
    ("HOLE", Kind::Hole),
    ("MAP", Kind::Map),
    ("WEAK_FIXED_ARRAY", Kind::Array),
    ("EMBEDDER_DATA_ARRAY", Kind::Array),
    ("CLOSURE_FEEDBACK_CELL_ARRAY", Kind::Array),
    ("TRUSTED_FIXED_ARRAY", Kind::Array),
    ("PROTECTED_FIXED_ARRAY", Kind::Array),
    ("TRUSTED_WEAK_FIXED_ARRAY", Kind::Array),
    ("PROTECTED_WEAK_FIXED_ARRAY", Kind::Array),
    ("OBJECT_BOILERPLATE_DESCRIPTION", Kind::Array),
    ("SCRIPT_CONTEXT_TABLE", Kind::Array),
    ("SLOPPY_ARGUMENTS_ELEMENTS", Kind::Array),
    ("REG_EXP_MATCH_INFO", Kind::Array),
    ("WEAK_ARRAY_LIST", Kind::Array),
    ("ARRAY_LIST", Kind::Array),
    ("DEPENDENT_CODE", Kind::Array),
    ("FEEDBACK_VECTOR", Kind::Array),
    ("FIXED_DOUBLE_ARRAY", Kind::Doubles),
    ("BYTE_ARRAY", Kind::Raw),
    ("TRUSTED_BYTE_ARRAY", Kind::Raw),
    ("EXTERNAL_POINTER_ARRAY", Kind::Raw),
    ("DESCRIPTOR_ARRAY", Kind::Descriptors),
    ("STRONG_DESCRIPTOR_ARRAY", Kind::Descriptors),
    ("PROPERTY_ARRAY", Kind::PropertyArray),
    ("BYTECODE_ARRAY", Kind::Bytecode),
    ("CODE", Kind::Code),
    ("INSTRUCTION_STREAM", Kind::Instructions),
    ("CODE_DATA_CONTAINER", Kind::CodeData),
    ("SCOPE_INFO", Kind::ScopeInfo),
    ("SHARED_FUNCTION_INFO", Kind::SharedFunctionInfo),
    ("SCRIPT", Kind::Script),
    ("FOREIGN", Kind::Foreign),
    ("TRUSTED_FOREIGN", Kind::Foreign),
    ("ACCESSOR_PAIR", Kind::AccessorPair),
    ("PROPERTY_CELL", Kind::PropertyCell),
    ("FEEDBACK_CELL", Kind::FeedbackCell),
    ("FUNCTION_TEMPLATE_INFO", Kind::FunctionTemplate),
    ("WEAK_CELL", Kind::WeakCell),
    ("ALLOCATION_SITE", Kind::AllocationSite),
    ("JS_BOUND_FUNCTION", Kind::JsBoundFunction),
    ("JS_ARRAY", Kind::JsArray),
    ("JS_ARRAY_BUFFER", Kind::JsArrayBuffer),
    ("JS_TYPED_ARRAY", Kind::JsTypedArray),
    ("JS_DATA_VIEW", Kind::JsDataView),
    ("JS_RAB_GSAB_DATA_VIEW", Kind::JsDataView),
    ("JS_DATE", Kind::JsDate),
    ("JS_REG_EXP", Kind::JsRegExp),
    ("JS_MAP", Kind::JsMap),
    ("JS_SET", Kind::JsSet),
    ("JS_WEAK_MAP", Kind::JsWeakCollection),
    ("JS_WEAK_SET", Kind::JsWeakCollection),
    ("JS_WEAK_REF", Kind::JsWeakRef),
    ("JS_PROMISE", Kind::JsPromise),
    ("JS_PROXY", Kind::JsProxy),
    ("JS_GLOBAL_OBJECT", Kind::JsGlobalObject),
    ("JS_PRIMITIVE_WRAPPER", Kind::JsPrimitiveWrapper),
    ("JS_GENERATOR_OBJECT", Kind::JsGenerator),
    ("JS_ASYNC_FUNCTION_OBJECT", Kind::JsGenerator),
    ("JS_ASYNC_GENERATOR_OBJECT", Kind::JsGenerator),
    ("JS_ERROR", Kind::JsError),
    ("JS_API_OBJECT", Kind::JsApiObject),
];
