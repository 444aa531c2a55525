// Answers with formulas and diagrams, as models write them.

const tex = String.raw;

export const formulas = tex`The roots are $x_{1,2} = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}$, as long as $a \neq 0$, and \(e^{i\pi} + 1 = 0\) anyway. It costs $5 or $10.

$$
\begin{aligned}
\nabla \cdot \mathbf{E} &= \frac{\rho}{\varepsilon_0} \\
\nabla \times \mathbf{B} &= \mu_0 \mathbf{J} + \mu_0 \varepsilon_0 \frac{\partial \mathbf{E}}{\partial t}
\end{aligned}
$$

\[
R = \begin{pmatrix} \cos\theta & -\sin\theta \\ \sin\theta & \cos\theta \end{pmatrix},
\qquad |x| = \begin{cases} x & \text{if } x \ge 0 \\ -x & \text{otherwise} \end{cases}
\]

- In a list: $\sum_{i=1}^{n} i = \frac{n(n+1)}{2}$ and

  $$ \int_0^\infty e^{-x^2}\,dx = \frac{\sqrt{\pi}}{2} $$

- The softmax is $$\sigma(z)_i = \frac{e^{z_i}}{\sum_j e^{z_j}}$$ for all $i$.

| name | formula |
|---|---|
| norm | $\lVert x \rVert_2 = \sqrt{\sum x_i^2}$ |
| boxed | $\boxed{\hat{y} = \overline{ab}}$ |

$$ f(x) = a_0 + a_1 x + a_2 x^2 + a_3 x^3 + a_4 x^4 + a_5 x^5 + a_6 x^6 + a_7 x^7 + a_8 x^8 + a_9 x^9 $$

And $\wrong{x}$ stays.`;

const fenced = (source: string) => `Here it is:\n\n\`\`\`mermaid\n${source}\n\`\`\`\n\nThat is all.`;

export const diagrams = {
  flowchart: fenced(`flowchart TD
  A[User text] --> B{Fits the window?}
  B -->|yes| C(Prompt)
  B -->|no| D[Trim old turns]
  D --> C
  C --> E[(KV cache)]
  subgraph engine [Engine process]
    E --> F((Answer))
  end`),
  sequence: fenced(`sequenceDiagram
  participant U as User
  participant H as Host
  participant E as Engine
  U->>H: message
  H->>E: prompt
  loop every token
    E-->>H: text
  end
  Note over H,E: stops at the limit
  H-->>U: answer`),
  class: fenced(`classDiagram
  class Dialog {
    +items: Item[]
    +append(item) Dialog
  }
  class Item {
    <<interface>>
    +id: string
  }
  Dialog "1" *-- "many" Item : holds
  Item <|-- Turn
  Item <|-- ToolResult`),
  state: fenced(`stateDiagram-v2
  [*] --> Idle
  Idle --> Running : send
  Running --> Idle : done
  Running --> Failed : fault
  state Running {
    [*] --> Prefill
    Prefill --> Decode
  }
  Failed --> [*]`),
} as const;

export const others = {
  er: 'erDiagram\n  SESSION ||--o{ ITEM : has\n  ITEM {\n    string id\n    int tokens\n  }',
  gantt:
    'gantt\n  title Plan\n  dateFormat YYYY-MM-DD\n  section One\n  First :a1, 2026-01-01, 10d\n  Second :crit, after a1, 5d',
  pie: 'pie title Tokens\n  "System" : 40\n  "Tools" : 25\n  "Turns" : 35',
  git: 'gitGraph\n  commit\n  branch next\n  commit\n  checkout main\n  merge next',
  journey: 'journey\n  title A day\n  section Work\n    Ask: 5: Me\n    Wait: 2: Me, Model',
  mindmap: 'mindmap\n  root((Context))\n    System\n    Tools\n      read\n    Turns',
  timeline: 'timeline\n  title History\n  2024 : One\n  2025 : Two : Three',
  quadrant:
    'quadrantChart\n  title Reach\n  x-axis Low --> High\n  y-axis Few --> Many\n  A: [0.3, 0.6]\n  B: [0.7, 0.2]',
  xy: 'xychart-beta\n  title "Tokens"\n  x-axis [a, b, c]\n  y-axis "n" 0 --> 10\n  bar [3, 6, 9]\n  line [2, 5, 8]',
  sankey: 'sankey-beta\n\nA,B,10\nA,C,5\nB,D,4',
  requirement: 'requirementDiagram\n  requirement r1 {\n  id: 1\n  text: fits\n  risk: low\n  verifymethod: test\n  }',
  c4: 'C4Context\n  Person(u, "User")\n  System(s, "Tidemark")\n  Rel(u, s, "asks")',
  block: 'block-beta\n  columns 2\n  a["A"] b["B"]\n  c["C"]',
  packet: 'packet-beta\n  0-15: "Source"\n  16-31: "Target"',
  architecture: 'architecture-beta\n  service a(server)[A]\n  service b(database)[B]\n  a:R -- L:b',
  kanban: 'kanban\n  todo[To do]\n    t1[Write]\n  done[Done]\n    t2[Read]',
  radar: 'radar-beta\n  axis a["A"], b["B"], c["C"]\n  curve x{3, 4, 5}',
  treemap: 'treemap-beta\n"Root"\n  "One": 10\n  "Two": 20',
} as const;
