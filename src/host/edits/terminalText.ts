// The commands of a shell block, without what stands around them.

/** Without prompts in front of commands, and without what they would print. */
export function commandsIn(code: string): string {
  const lines = code.trim().split(/\r?\n/);
  const prompted = lines.filter((line) => /^[$%] /.test(line));
  return (prompted.length > 0 ? prompted.map((line) => line.slice(2)) : lines).join('\n');
}
