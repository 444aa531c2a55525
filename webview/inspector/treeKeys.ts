// Arrow keys in a tree of rows that open: up and down between the rows in sight, right opens, left closes or goes to the parent.

export function walkTree(event: KeyboardEvent): void {
  const row = event.target;
  const tree = event.currentTarget;
  if (!(row instanceof HTMLElement) || row.tagName !== 'SUMMARY' || !(tree instanceof HTMLElement)) return;
  const branch = row.parentElement as HTMLDetailsElement;
  const rows = [...tree.querySelectorAll('summary')].filter((one) => one.checkVisibility());
  const at = rows.indexOf(row);
  const parent = branch.parentElement?.closest('details')?.querySelector('summary');
  const next = {
    ArrowDown: () => rows[at + 1],
    ArrowUp: () => rows[at - 1],
    Home: () => rows[0],
    End: () => rows.at(-1),
    ArrowRight: () => {
      if (branch.open) return rows[at + 1];
      branch.open = true;
    },
    ArrowLeft: () => {
      if (!branch.open) return parent;
      branch.open = false;
    },
  }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  next()?.focus();
}
