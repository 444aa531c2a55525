// The one place that knows @vscode/webview-ui-toolkit: registers the components in use and types them for Preact.
import { provideVSCodeDesignSystem, vsCodeButton, vsCodeTextArea, vsCodeTextField } from '@vscode/webview-ui-toolkit';
import type { HTMLAttributes } from 'preact';

export function registerToolkit(): void {
  provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeTextArea(), vsCodeTextField());
}

/** The text area's element: its value is what the user typed. */
export interface TextArea extends HTMLElement {
  value: string;
  /** The real one, in its shadow. */
  readonly control: HTMLTextAreaElement;
}

/** The text field's element: its value is what the user typed. */
export interface TextField extends HTMLElement {
  value: string;
  select(): void;
}

/** Names a text area or field for screen readers. The toolkit calls each one by its kind when it enters the document. */
export function nameArea(area: HTMLElement | null, name: string): void {
  area?.setAttribute('aria-label', name);
}

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'vscode-button': HTMLAttributes<HTMLElement> & {
        appearance?: 'primary' | 'secondary' | 'icon';
        disabled?: boolean;
      };
      'vscode-text-field': HTMLAttributes<TextField> & { placeholder?: string; value?: string };
      'vscode-text-area': HTMLAttributes<TextArea> & {
        placeholder?: string;
        rows?: number;
        resize?: 'none' | 'vertical';
        value?: string;
      };
    }
  }
}
