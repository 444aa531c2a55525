// Builds everything that ships into dist: extension host, engine process and webviews. `--watch` rebuilds on change,
// `--outdir` names another folder, `--metafile` a file that gets what went into each bundle.
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import { context } from 'esbuild';

const flag = { type: 'boolean', default: false };
const {
  values: { watch, production, outdir, metafile },
} = parseArgs({
  options: {
    watch: flag,
    production: flag,
    outdir: { type: 'string', default: 'dist' },
    metafile: { type: 'string' },
  },
});
const shared = {
  // The main file of this one asks for its parts by a path that a bundle does not have.
  alias: { 'jsonc-parser': './node_modules/jsonc-parser/lib/esm/main.js' },
  bundle: true,
  sourcemap: !production,
  minify: production,
  logLevel: watch ? 'info' : 'warning',
  metafile: true,
  outdir,
};
// Packages with binaries of their own are loaded from node_modules.
const native = ['vscode', 'node-llama-cpp', '@vscode/ripgrep'];

// vscode-jsonrpc is CommonJS and requires Node's own modules.
const requireBanner = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** What the extension imports only when it needs it is a file of its own: the editor reads and compiles the whole of each file at its start. */
const apart = { tokenizer: 'src/tokens/tokenizer.ts', secrets: 'src/secrets/secrets.ts' };
/** What several bundles have in common, once. */
const shareAjv = {
  name: 'share-ajv',
  setup: (build) => build.onResolve({ filter: /^ajv$/ }, () => ({ path: './ajv.cjs', external: true })),
};
const importApart = {
  name: 'import-apart',
  setup: (build) => {
    for (const [name, source] of Object.entries(apart))
      build.onResolve({ filter: new RegExp(`/${name}\\.ts$`) }, ({ kind, path }) =>
        kind === 'dynamic-import' && source.endsWith(path.replace(/^[./]+/, ''))
          ? { path: `./${name}.cjs`, external: true }
          : undefined,
      );
  },
};

const builds = [
  {
    ...shared,
    entryPoints: { extension: 'src/extension.ts' },
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    external: native,
    plugins: [importApart, shareAjv],
  },
  {
    ...shared,
    entryPoints: { ...apart, ajv: 'node_modules/ajv/dist/ajv.js' },
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
  },
  {
    ...shared,
    entryPoints: { engine: 'src/engine/worker/main.ts' },
    platform: 'node',
    target: 'node22',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    external: native,
    banner: { js: requireBanner },
  },
  {
    ...shared,
    entryPoints: {
      finding: 'src/finding/worker/main.ts',
      salvage: 'src/store/rescue/salvageThread.ts',
      search: 'src/store/searching/searchThread.ts',
    },
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    external: native,
    plugins: [shareAjv],
  },
  {
    ...shared,
    entryPoints: {
      'webview/chat': 'webview/chat/chat.tsx',
      'webview/context': 'webview/context/context.tsx',
      'webview/chat-style': 'webview/chat/chat.css',
      'webview/context-style': 'webview/context/context.css',
    },
    platform: 'browser',
    target: 'es2022',
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  },
  {
    ...shared,
    // Loaded only at the first formula.
    entryPoints: { 'webview/temml': 'webview/drawings/formulaScript.ts' },
    platform: 'browser',
    target: 'es2022',
    format: 'iife',
    minify: true,
    sourcemap: false,
  },
  {
    ...shared,
    entryPoints: { 'test/integration': 'test/vscode/index.ts' },
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    external: [...native, 'mocha'],
  },
  {
    ...shared,
    entryPoints: { 'test/scriptedEngine': 'test/ui/scenes/scriptedEngine.ts' },
    platform: 'node',
    target: 'node22',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    banner: { js: requireBanner },
  },
];

/** The grammars whose languages are cut along declarations, compressed: as they are they would be larger than all the rest. */
async function stageGrammars() {
  const source = await readFile('src/finding/cut/languages.ts', 'utf8');
  const named = [...source.matchAll(/language\(\s*'([\w-]+)'/g)].map(([, name]) => `tree-sitter-${name}`);
  await mkdir(`${outdir}/grammars`, { recursive: true });
  // The grammar of bash reads commands, and cuts no files.
  for (const name of ['tree-sitter', 'tree-sitter-bash', ...named]) {
    const wasm = await readFile(`node_modules/@vscode/tree-sitter-wasm/wasm/${name}.wasm`);
    const options = {
      params: { [constants.BROTLI_PARAM_QUALITY]: production ? 11 : 5, [constants.BROTLI_PARAM_LGWIN]: 24 },
    };
    await writeFile(`${outdir}/grammars/${name}.wasm.br`, brotliCompressSync(wasm, options));
  }
}

await rm(outdir, { recursive: true, force: true });
await mkdir(`${outdir}/webview`, { recursive: true });
for (const file of ['codicon.css', 'codicon.ttf'])
  await cp(`node_modules/@vscode/codicons/dist/${file}`, `${outdir}/webview/${file}`);
await stageGrammars();
const contexts = await Promise.all(
  builds
    .filter(({ entryPoints }) => !production || !Object.keys(entryPoints).some((name) => name.startsWith('test/')))
    .map(context),
);
const built = await Promise.all(contexts.map((build) => (watch ? build.watch() : build.rebuild())));
if (metafile !== undefined) await writeFile(metafile, JSON.stringify(built.map((one) => one?.metafile)));
if (!watch) await Promise.all(contexts.map((build) => build.dispose()));
