// The name that a node of a syntax tree declares: what is local to a function, and no function itself, has none.
import type { Node } from '@vscode/tree-sitter-wasm';

const valueFunction = /^(?:arrow_function|function|function_expression|generator_function|class|lambda)$/;
const identifier = /identifier$|^constant$|^name$|^type_identifier$/;
/** Nodes of which a body tells a definition from a mere mention. */
const needsBody = /^(?:class|struct|union|enum)_specifier$/;

/** The node of the name; undefined where the node declares nothing that can be looked for. `inside` counts functions around. */
export function declaredName(node: Node, inside: number): Node | undefined {
  switch (node.type) {
    case 'variable_declarator':
      return variable(node, inside);
    case 'assignment_expression':
      return assigned(node, inside);
    case 'pair':
      return valueFunction.test(node.childForFieldName('value')?.type ?? '') ? field(node, 'key') : undefined;
    case 'assignment':
      return inside > 0 ? undefined : plain(field(node, 'left'));
    case 'const_spec':
    case 'var_spec':
      return inside > 0 ? undefined : field(node, 'name');
    case 'impl_item':
      return innermost(field(node, 'type'));
    case 'declaration':
    case 'field_declaration':
      return inside > 0 ? undefined : (field(node, 'name') ?? declarator(node));
    case 'function_definition':
    case 'type_definition':
      return field(node, 'name') ?? declarator(node);
    case 'property_element':
      return node.firstNamedChild ?? undefined;
    case 'const_element':
      return node.firstNamedChild ?? undefined;
    default:
      if (needsBody.test(node.type) && node.childForFieldName('body') === null) return undefined;
      return field(node, 'name');
  }
}

function field(node: Node, name: string): Node | undefined {
  return node.childForFieldName(name) ?? undefined;
}

function plain(node: Node | undefined): Node | undefined {
  return node !== undefined && identifier.test(node.type) ? node : undefined;
}

/** `const tide = …` at the top level, or of a function anywhere. In Java and C# a field, no local variable. */
function variable(node: Node, inside: number): Node | undefined {
  const name = plain(field(node, 'name') ?? node.firstNamedChild ?? undefined);
  if (node.parent?.type === 'local_variable_declaration') return undefined;
  return inside === 0 || valueFunction.test(node.childForFieldName('value')?.type ?? '') ? name : undefined;
}

/** `exports.tide = …`, `Tide.prototype.rise = function …`; any other assignment only of a function. */
function assigned(node: Node, inside: number): Node | undefined {
  const left = field(node, 'left');
  if (left === undefined) return undefined;
  const exported = inside === 0 && /^(?:module\.)?exports\.|\.prototype\./.test(left.text);
  if (!exported && !valueFunction.test(node.childForFieldName('right')?.type ?? '')) return undefined;
  return plain(field(left, 'property') ?? left);
}

/** C and C++ wrap the name in pointers, arrays, references and parameter lists. */
function declarator(node: Node): Node | undefined {
  let at = field(node, 'declarator');
  for (let depth = 0; at !== undefined && depth < 8; depth++) {
    if (identifier.test(at.type) && at.type !== 'qualified_identifier') return at;
    at = field(at, 'declarator') ?? field(at, 'name') ?? at.firstNamedChild ?? undefined;
  }
  return undefined;
}

/** `Foo` of `Foo<T>` and of `crate::Foo`. */
function innermost(node: Node | undefined): Node | undefined {
  if (node === undefined || identifier.test(node.type)) return plain(node);
  return innermost(field(node, 'type') ?? field(node, 'name'));
}
