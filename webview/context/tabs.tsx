// Tabs as the ARIA Authoring Practices describe them: one stop of the Tab key, arrows go from tab to tab, the panel has the tab's name.
import type { ComponentChildren } from 'preact';

interface TabsProps<Id extends string> {
  readonly label: string;
  readonly tabs: readonly { readonly id: Id; readonly name: string; readonly title: string }[];
  readonly chosen: Id;
  readonly choose: (id: Id) => void;
}

export function Tabs<Id extends string>({ label, tabs, chosen, choose }: TabsProps<Id>) {
  const at = tabs.findIndex(({ id }) => id === chosen);
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
    const to = steps[event.key];
    const tab = to === undefined ? undefined : tabs.at(to % tabs.length);
    if (tab === undefined) return;
    event.preventDefault();
    choose(tab.id);
    document.getElementById(`tab-${tab.id}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map(({ id, name, title }) => (
        <button
          key={id}
          id={`tab-${id}`}
          type="button"
          role="tab"
          aria-selected={id === chosen}
          aria-controls="tab-panel"
          tabIndex={id === chosen ? 0 : -1}
          title={`${name}: ${title}`}
          onClick={() => choose(id)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

export function TabPanel({ id, children }: { id: string; children: ComponentChildren }) {
  return (
    <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${id}`}>
      {children}
    </div>
  );
}
