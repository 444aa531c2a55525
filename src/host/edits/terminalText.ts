// The commands of a shell block, without what stands around them.

/** Without prompts in front of commands, what they would print, and signs that do not show: a terminal takes some of them for keys, and runs the line. */
export function commandsIn(code: string): string {
  const lines = code
    .trim()
    .split(/\r\n?|\n/)
    .map((line) => line.replaceAll('\t', ' ').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/gu, ''));
  const prompted = lines.filter((line) => /^[$%] /.test(line));
  return (prompted.length > 0 ? prompted.map((line) => line.slice(2)) : lines).join('\n');
}

/** Commands joined as a shell joins them: without comments, which would end the line, and with continued lines as one. */
export function onOneLine(commands: string): string {
  return commands
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .join(' && ');
}
