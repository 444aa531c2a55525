// Chat templates that whoever made a file could put into it: programs that do not end, or only want more memory.
import { chatTemplate } from '../../models/scenes/chatTemplate.ts';

export const endless = `{% for a in range(30000) %}{% for b in range(30000) %}{% endfor %}{% endfor %}${chatTemplate}`;
export const greedy = `{% set ns = namespace(s='x' * 1000) %}{% for a in range(100000) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}${chatTemplate}`;

/** So many, of different kinds. */
export function hostileTemplates(count: number): readonly string[] {
  const kinds = [
    (n: number) => `{% for a in range(${20_000 + n}) %}{% for b in range(${20_000 + n}) %}{% endfor %}{% endfor %}`,
    (n: number) => `{% set l = range(${1_000_000_000 + n}) %}`,
    (n: number) =>
      `{% set ns = namespace(s='ab${n}') %}{% for a in range(${100 + n}) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}`,
    (n: number) => `{% macro m(x) %}{{ m(x + ${n}) }}{% endmacro %}{{ m(1) }}`,
    (n: number) => `${'{% if true %}'.repeat(500 + n)}x${'{% endif %}'.repeat(500 + n)}`,
    (n: number) => `{{ ${'('.repeat(800 + n)}1${')'.repeat(800 + n)} }}`,
    (n: number) => `{{ messages[${n}].content.constructor.constructor('return process')().exit() }}`,
    (n: number) =>
      `{% for m in messages %}{% for k in range(${40_000 + n}) %}{{ m.content | upper | lower | trim }}{% endfor %}{% endfor %}`,
    (n: number) => `{{ 'x' * ${2_000_000_000 + n} }}`,
    (n: number) =>
      `{% set ns = namespace(l=[${n}]) %}{% for a in range(1000000) %}{% set ns.l = ns.l + ns.l %}{% endfor %}`,
  ];
  return Array.from({ length: count }, (_, i) => `${kinds[i % kinds.length]?.(i)}${chatTemplate}`);
}
