// Permissions that the user gave for good: kept with the editor's data of the folder, never in the folder, where whoever writes it could give them.
import type { LastingYes } from '../core/dialog/tool.ts';
import type { FenceKind } from './fence/fence.ts';

/** The key of a permission is all that was asked: this very text, the folder in which it begins, and the fence around it. */
export interface AskedCommand {
  readonly text: string;
  /** The folder where it begins, and the open one that holds it, as the model sees them. */
  readonly within: string;
  readonly open: string;
  readonly fence: FenceKind | 'none';
}

/** A permission with the files that decide what its command does, as they were: where one changes, or one more is there, it ends. */
export interface StoredPermission extends Omit<AskedCommand, 'open'>, Pick<LastingYes, 'scope' | 'kind'> {
  readonly conversation: string;
  readonly files: Readonly<Record<string, string>>;
}

export interface PermissionStore {
  get(): readonly StoredPermission[];
  set(all: readonly StoredPermission[]): Promise<void>;
}

export class Permissions {
  private readonly store: PermissionStore;

  constructor(store: PermissionStore) {
    this.store = store;
  }

  /** All that only look at this open folder run unasked, behind a fence of this kind. */
  looks(conversation: string, { open, fence }: AskedCommand): boolean {
    const isHere = ({ within }: StoredPermission) => open === '.' || within === open || within.startsWith(`${open}/`);
    return (
      fence !== 'none' &&
      this.own(conversation).some((one) => one.kind === 'looks' && one.fence === fence && isHere(one))
    );
  }

  /** This very command runs unasked. `files`: those that decide what it does, as they are now. */
  exact(conversation: string, asked: AskedCommand, files: StoredPermission['files']): boolean {
    return this.own(conversation).some(
      (one) =>
        one.kind === 'exact' &&
        one.text === asked.text &&
        one.within === asked.within &&
        one.fence === asked.fence &&
        isSame(one.files, files),
    );
  }

  async add(
    { scope, kind }: Pick<LastingYes, 'scope' | 'kind'>,
    conversation: string,
    asked: AskedCommand,
    files: StoredPermission['files'],
  ): Promise<void> {
    const { text, within, fence } = asked;
    const one = { scope, kind, conversation, text, within, fence, files: kind === 'exact' ? files : {} };
    await this.store.set([...this.store.get(), one]);
  }

  /** Permissions of an earlier version, whose key was less than what was asked, hold no more. */
  private own(conversation: string): readonly StoredPermission[] {
    return this.store
      .get()
      .filter((one) => one.fence !== undefined && (one.scope === 'folder' || one.conversation === conversation));
  }
}

function isSame(a: StoredPermission['files'], b: StoredPermission['files']): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}
