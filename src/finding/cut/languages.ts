// Languages whose grammar ships: which nodes declare something, where their name stands, and which import.

export interface Language {
  /** The file of the grammar, without `tree-sitter-` and `.wasm`. */
  readonly grammar: string;
  readonly extensions: readonly string[];
  /** Nodes that declare; those that hold other declarations are in `holds` too. */
  readonly declares: ReadonlySet<string>;
  readonly holds: ReadonlySet<string>;
  readonly imports: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ''));

function language(grammar: string, extensions: string, declares: string, holds: string, imports: string): Language {
  return {
    grammar,
    extensions: extensions.split(' '),
    declares: words(`${declares} ${holds}`),
    holds: words(holds),
    imports: words(imports),
  };
}

const scriptNodes = `function_declaration generator_function_declaration method_definition variable_declarator
  public_field_definition field_definition assignment_expression pair`;
const scriptHolds = 'class_declaration class';
const scriptImports = 'import_statement export_statement call_expression';
const typedNodes = `${scriptNodes} function_signature method_signature abstract_method_signature type_alias_declaration
  property_signature`;
const typedHolds = `${scriptHolds} abstract_class_declaration interface_declaration enum_declaration internal_module module`;

export const languages: readonly Language[] = [
  language('javascript', 'js mjs cjs jsx', scriptNodes, scriptHolds, scriptImports),
  language('typescript', 'ts mts cts', typedNodes, typedHolds, scriptImports),
  language('tsx', 'tsx', typedNodes, typedHolds, scriptImports),
  language(
    'python',
    'py pyi',
    'function_definition assignment',
    'class_definition',
    'import_statement import_from_statement',
  ),
  language(
    'go',
    'go',
    'function_declaration method_declaration type_spec type_alias const_spec var_spec method_elem',
    '',
    'import_spec',
  ),
  language(
    'java',
    'java',
    'method_declaration constructor_declaration compact_constructor_declaration variable_declarator enum_constant annotation_type_element_declaration',
    'class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration',
    'import_declaration',
  ),
  language(
    'rust',
    'rs',
    'function_item function_signature_item const_item static_item type_item macro_definition enum_variant field_declaration',
    'struct_item enum_item union_item trait_item impl_item mod_item',
    'use_declaration',
  ),
  language(
    'c-sharp',
    'cs',
    'method_declaration constructor_declaration property_declaration delegate_declaration event_declaration variable_declarator enum_member_declaration local_function_statement',
    'class_declaration struct_declaration interface_declaration enum_declaration record_declaration namespace_declaration file_scoped_namespace_declaration',
    'using_directive',
  ),
  language(
    'cpp',
    'c h cc hh cpp hpp cxx hxx ino cu',
    'function_definition preproc_def preproc_function_def type_definition alias_declaration concept_definition declaration field_declaration',
    'class_specifier struct_specifier union_specifier enum_specifier namespace_definition',
    'preproc_include',
  ),
  language(
    'php',
    'php',
    'function_definition method_declaration const_element property_element',
    'class_declaration interface_declaration trait_declaration enum_declaration',
    'namespace_use_clause',
  ),
];

const byExtension = new Map(languages.flatMap((one) => one.extensions.map((extension) => [extension, one] as const)));

/** The language of a path by its extension; undefined where no grammar ships. */
export function languageOf(path: string): Language | undefined {
  return byExtension.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase());
}
