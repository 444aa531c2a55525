// Messages to begin with, about what is in the open folder.

/** A declaration of the folder's code. */
export interface Named {
  readonly name: string;
  readonly path: string;
}

/** Four messages that the tools can answer; fewer without a folder. The most used entities come first. */
export function exampleMessages(entities: readonly Named[], hasFolder: boolean): readonly string[] {
  if (!hasFolder) return ['What can you do once I open a folder?'];
  const [first, second] = entities;
  const other = entities.find(({ path }) => path !== first?.path) ?? second;
  return [
    'What is this project about, and how is it built up?',
    first === undefined ? 'Which files are in this folder?' : `Where is \`${first.name}\` defined, and who uses it?`,
    other === undefined ? 'Where does the program begin?' : `What does ${other.path} do?`,
    'Which problems does the editor show, and what causes them?',
  ];
}
