// The settings of a VS Code that the harness starts: quiet, offline, the same picture every time.

export type SettingValue =
  | string
  | number
  | boolean
  | null
  | readonly SettingValue[]
  | { readonly [key: string]: SettingValue };
export type Settings = Readonly<Record<string, SettingValue>>;
export type Theme = 'dark' | 'light' | 'highContrast' | 'highContrastLight';

const themeNames: Readonly<Record<Theme, string>> = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  highContrast: 'Default High Contrast',
  highContrastLight: 'Default High Contrast Light',
};

const quietSettings: Settings = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'window.autoDetectColorScheme': false,
  'window.autoDetectHighContrast': false,
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'json.schemaDownload.enable': false,
  'npm.fetchOnlinePackageInfo': false,
  'git.openRepositoryInParentFolders': 'never',
  'chat.disableAIFeatures': true,
  'files.simpleDialog.enable': true,
};

export function workbenchSettings(theme: Theme = 'dark', more: Settings = {}): Settings {
  return { ...quietSettings, 'workbench.colorTheme': themeNames[theme], ...more };
}

/** Returns the colour scheme that the browser has to prefer, so that page and workbench agree. */
export function colorSchemeOf(theme: Theme): 'dark' | 'light' {
  return theme === 'dark' || theme === 'highContrast' ? 'dark' : 'light';
}
