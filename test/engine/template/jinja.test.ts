// The additions of jinja.ts to the library, compared with what Python's jinja2 3.1 prints for the same source.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileJinja } from '../../../src/templates/template.ts';

type Values = Readonly<Record<string, unknown>>;
const printed: readonly (readonly [string, string, Values?])[] = [
  ["{{ [3,1,2]|min }} {{ [3,1,2]|max }} {{ ['b','a']|max }} {{ ['b','a']|min }}", '1 3 b a'],
  [
    "{{ none|string }} {{ true|string }} {{ [1,'a',none]|string }} {{ {'a':1}|string }}",
    "None True [1, 'a', None] {'a': 1}",
  ],
  ['{{ x|string }}', "{'a': \"it's\", 'b': [1, 2.5, None]}", { x: { a: "it's", b: [1, 2.5, null] } }],
  ["{% for k,v in {'b':1,'A':2}|dictsort %}{{k}}={{v}};{% endfor %}", 'A=2;b=1;'],
  [
    "{% set l=[] %}{% set _ = l.append(1) %}{% set _ = l.append({'a':{'b':[2]}}) %}{{ l|length }} {{ l[1].a.b[0] }} {{ l|tojson }}",
    '2 2 [1, {"a": {"b": [2]}}]',
  ],
  ['{% set l=[1,2,3] %}{{ l.pop() }} {{ l.pop(0) }} {{ l|tojson }}', '3 1 [2]'],
  ["{% set d={'a':1} %}{{ d.pop('a') }} {{ d|length }}", '1 0'],
  ["{{ 'a {} b {}'.format(1, 'x') }} {{ '{0} {1} {0}'.format('a','b') }}", 'a 1 b x a b a'],
  ['{% set a, b = 1, 2 %}{{a}}{{b}}{% for a, b in [(1,2),(3,4)] %}{{a}}{{b}} {% endfor %}', '1212 34 '],
  ["{{ {1:'x', 'y': (1,2)}|tojson }}", '{"1": "x", "y": [1, 2]}'],
  ['{% macro f(x, y=(1,2)) %}{{ x|string }}{{ y|max }}{% endmacro %}{{ f(none) }}', 'None2'],
  ['{% macro w() %}<{{ caller() }}>{% endmacro %}{% call w() %}{{ [1,5]|max }}{% endcall %}', '<5>'],
  ['{% filter string %}hi{% endfilter %}{{ x.append }}', 'hi1', { x: { append: 1 } }],
  ["{% for x in [1,2] if x|string == '2' %}{{x|string|length}}{% endfor %}", '1'],
  ["{% set ns = namespace(l=[]) %}{% set ns.l = ns.l + [(1,'a')] %}{{ ns.l|tojson }}", '[[1, "a"]]'],
];

for (const [source, expected, values = {}] of printed) {
  test(`prints as Python does: ${source}`, () => {
    assert.equal(compileJinja(source)(values), expected);
    const render = compileJinja(source);
    assert.equal(render(values) + render(values), expected + expected);
  });
}
