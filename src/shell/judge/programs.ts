// Programs by what their words can make them do: which only look, and which run what other words, files or settings say.
import type { CommandPart } from './parse.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ''));

/** Shells, interpreters, build tools, programs that start others, and parts of the shell itself: how their words begin does not say what they do. */
const runners = words(`
  . source eval exec command builtin coproc trap alias unalias hash enable set shopt export declare typeset local readonly unset read mapfile printf
  cd pushd popd umask ulimit wait kill jobs fg bg disown times let bind complete compgen history fc
  sh bash dash ash zsh ksh mksh fish csh tcsh busybox toybox pwsh powershell cmd
  env xargs parallel nohup nice ionice chrt taskset timeout time stdbuf setsid setarch script watch entr flock unshare nsenter chroot bwrap firejail
  sudo doas su runuser pkexec systemd-run ssh scp sftp rsync telnet nc ncat socat curl wget ftp at batch crontab
  npm npx pnpm pnpx yarn bun bunx corepack node nodejs deno tsx ts-node python python2 python3 pypy pypy3 pip pip3 pipx uv uvx poetry pdm hatch tox nox
  pytest ruby irb gem bundle bundler rake perl cpan php composer lua luajit julia R Rscript java javac jshell kotlin scala groovy clojure clj lein
  go cargo rustc rustup dotnet mono swift xcodebuild mvn mvnw gradle gradlew ant sbt bazel buck ninja make gmake cmake ctest meson scons just task
  invoke fab mix iex elixir erl rebar3 stack cabal ghc runghc ocaml dune opam zig nim dart flutter vagrant terraform ansible ansible-playbook
  docker podman nerdctl kubectl helm docker-compose jest vitest mocha webpack vite rollup gulp grunt nx turbo lerna
  awk gawk mawk nawk sed ed ex vi vim nvim emacs nano view less more most man info tar zip unzip 7z ld ldd gdb lldb strace ltrace perf valgrind
  gcc g++ cc c++ clang clang++ tcc m4 bc dc sqlite3 psql mysql redis-cli mongo expect tclsh wish dbus-send gdbus busctl systemctl open xdg-open gh hub
  git-shell svn hg jj`);

/** Options of git's parts that start a program or write a file. */
const gitRuns =
  /^(?:-c|-C|--config-env|--exec-path|--git-dir|--work-tree|--namespace|-x|--exec|-O.*|--open-files-in-pager.*|--ext-diff|--textconv|--upload-pack.*|--receive-pack.*|--output.*|-o.*|--filters|--paginate|-p)$/;
/** Parts that are built in, so that no alias takes their place, and that start no program unless an option says so. */
const gitParts = words(`
  add blame branch cat-file check-ignore commit-tree describe diff diff-index diff-tree for-each-ref grep log ls-files ls-tree merge-base mv name-rev
  reflog restore rev-list rev-parse rm shortlog show show-ref stash status tag whatchanged`);
const gitLooks = words(`
  blame cat-file check-ignore describe diff diff-index diff-tree for-each-ref grep log ls-files ls-tree merge-base name-rev rev-list rev-parse shortlog
  show show-ref status whatchanged`);

/** These write no file and start no program, whatever their words are, unless one of `never` is among them. */
const looks: Readonly<Record<string, RegExp | null>> = {
  ...Object.fromEntries(
    [
      ...words(
        'basename cat cksum cmp comm cut date df diff dirname du echo egrep expand false fgrep file fold grep head hexdump id join jq ls md5sum nl od paste pwd',
      ),
      ...words(
        'readlink realpath rev seq sha1sum sha256sum sha512sum stat strings sum tac tail test tr true tsort type uname unexpand wc which whoami yes',
      ),
    ].map((name) => [name, null]),
  ),
  date: /^(?:-s|--set)/,
  find: /^-(?:exec|ok|delete|fprint|fls)/,
  rg: /^--(?:pre|hostname-bin)/,
  sort: /^(?:-o|--output|--compress-program|-T|--temporary|--files0-from)/,
  tree: /^-o/,
  tsc: /^(?!--noEmit$|--pretty|--skipLibCheck$|-p$|--project$|[\w./-]+\.json$)/,
  uniq: /^[^-]/,
  file: /^(?:-C|--compile|-m|--magic-file)/,
};

/** Whether other words of the part, files or settings say what it does, so that how it begins tells nothing. */
export function isRunner({ words: [program = null, ...rest] }: CommandPart): boolean {
  if (program === null || program.includes('/') || program.includes('=')) return true;
  if (program === 'git')
    return !gitParts.has(rest[0] ?? '') || rest.some((word) => word !== null && gitRuns.test(word));
  const never = looks[program];
  if (never !== undefined) return never !== null && rest.some((word) => word !== null && never.test(word));
  return runners.has(program) || /^(?:python|perl|ruby|php|lua|node|gcc|clang|pip)[\d.-]/.test(program);
}

/** Whether it only looks, by what is known of it. */
export function onlyLooks(part: CommandPart): boolean {
  const [program, own] = part.words;
  if (part.writes.length > 0 || part.words.includes(null) || isRunner(part)) return false;
  if (program === 'git') return gitLooks.has(own ?? '');
  if (program === 'tsc') return part.words.includes('--noEmit');
  return program !== undefined && program !== null && looks[program] !== undefined;
}
