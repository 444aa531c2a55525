// A script of ours that only some pages need: loaded once, from beside the first one, with the page's nonce.

/** Known only while the first script begins to run. */
const first = document.currentScript;
const loading = new Map<string, Promise<void>>();

/** Resolves when the script has run. Rejects where it cannot be loaded; the next call tries again. */
export function loadScript(name: string): Promise<void> {
  const known = loading.get(name);
  if (known !== undefined) return known;
  const loaded = new Promise<void>((resolve, reject) => {
    if (!(first instanceof HTMLScriptElement)) return reject(new Error('no script to load from'));
    const script = document.createElement('script');
    script.nonce = first.nonce;
    script.src = new URL(name, first.src).href;
    script.onload = () => resolve();
    script.onerror = () => {
      loading.delete(name);
      reject(new Error(`${name} could not be loaded`));
    };
    document.head.append(script);
  });
  loading.set(name, loaded);
  return loaded;
}
