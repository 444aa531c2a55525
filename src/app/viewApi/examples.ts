// Suggested messages, which this model can answer about what is in the open folder.

/** A declaration of the folder's code. */
export interface NamedEntity {
  readonly name: string;
  readonly path: string;
}

export interface ExampleGround {
  readonly hasFolder: boolean;
  /** Errors and warnings that the editor shows now. */
  readonly problems: number;
  /** The model is the pocket model, which looks things up and knows nothing else. */
  readonly pocket: boolean;
}

/** Three or four messages; one without a folder. The first entities are those that matter most. */
export function exampleMessages(
  entities: readonly NamedEntity[],
  { hasFolder, problems, pocket }: ExampleGround,
): readonly string[] {
  if (!hasFolder) return pocket ? [] : ['What can you do once I open a folder?'];
  const [first, second] = entities;
  const other = entities.find(({ path }) => path !== first?.path) ?? second;
  const common = [
    first === undefined ? 'Which files are in this folder?' : `Where is \`${first.name}\` defined?`,
    ...(other === undefined ? [] : [`What does ${other.path} do?`]),
    ...(problems === 0 ? [] : ['Which problems does the editor show?']),
  ];
  if (pocket) return [...common, ...(first === undefined ? [] : [`Which files use \`${first.name}\`?`])];
  return ['What does this project do, and how is it structured?', ...common];
}
