// Texts that try to become markup, code, a command or a request: attacks, and the places of an answer they may stand in.

/** `ran()` would leave a trace; the host does not exist. */
export const attacks: readonly string[] = [
  '<script>ran()</script>',
  '<script src="https://attack.invalid/a.js"></script>',
  '<img src=x onerror=ran()>',
  '<img src="https://attack.invalid/a.png">',
  '<svg onload=ran()><a xlink:href="javascript:ran()"><text>x</text></a></svg>',
  '<svg><script>ran()</script><style>@import "https://attack.invalid/a.css"</style></svg>',
  '<style>body{background:url(https://attack.invalid/b.png)}</style>',
  '<link rel="stylesheet" href="https://attack.invalid/c.css">',
  '<iframe srcdoc="<script>parent.ran()</script>"></iframe>',
  '<object data="data:text/html,<script>ran()</script>"></object><embed src="https://attack.invalid/e">',
  '<a href="javascript:ran()">x</a> <a href="command:workbench.action.quit">y</a>',
  '<base href="https://attack.invalid/"><meta http-equiv="refresh" content="0;url=https://attack.invalid/">',
  '<form action="https://attack.invalid/"><button formaction="javascript:ran()">x</button><input autofocus onfocus=ran()></form>',
  '<details open ontoggle=ran()><summary>x</summary></details>',
  '<video autoplay onloadstart=ran()><source onerror=ran() src=x></video>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=ran()&gt;">',
  '<noscript><p title="</noscript><img src=x onerror=ran()>">',
  '<template><img src=x onerror=ran()></template><div style="background:url(https://attack.invalid/f.png)">x</div>',
  '"><img src=x onerror=ran()><"',
  "' onmouseover='ran()' x='",
  '[x](javascript:ran()) [x](JaVaScRiPt&colon;ran()) [x](&#106;avascript:ran())',
  '[x](data:text/html;base64,PHNjcmlwdD5yYW4oKTwvc2NyaXB0Pg==) <javascript:ran()>',
  '[x](command:workbench.action.quit) <command:workbench.action.quit>',
  '![x](https://attack.invalid/g.png "t" onerror=ran()) <https://attack.invalid/h>',
  '[x](<javascript:ran()> "\\" onclick=\\"ran()") [y]: javascript:ran()',
  '&lt;img src=x onerror=ran()&gt; &#60;script&#62;ran()&#60;/script&#62;',
  'src/<img src=x onerror=ran()>.ts:1 a"onclick="ran().ts:2',
];

export const places: readonly ((attack: string) => string)[] = [
  (attack) => attack,
  (attack) => `# ${attack}`,
  (attack) => `- ${attack}\n  > ${attack}`,
  (attack) => `| a | ${attack} |\n|---|--:|\n| ${attack} | b |`,
  (attack) => `\`${attack}\` and [${attack}](https://attack.invalid/ "${attack.replaceAll('"', "'")}")`,
  (attack) => `\`\`\`html\n${attack}\n\`\`\``,
  (attack) => `\`\`\`${attack}\ncode\n\`\`\``,
  (attack) => `In \`${attack}.ts\`:\n\`\`\`ts title="${attack}"\n${attack}`,
];

export const texts = attacks.flatMap((attack) => places.map((place) => place(attack)));
