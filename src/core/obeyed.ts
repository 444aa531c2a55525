// Names that become code or policy: what such a file says is run or obeyed later. One list for changes of files and for commands. No list of them
// is whole: other rules ask as well (edits/asking.ts), and SECURITY.md says what is left.

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ''));

/** Folders that count anywhere in a path, in upper or lower case. Editors, agents, shells and servers for CI look there by themselves. */
const openedFolders = words(`
  .git .hg .svn .husky .githooks .vscode .idea .run .devcontainer .zed .fleet .ssh .direnv
  .github .gitlab .gitea .forgejo .circleci .buildkite .ci .woodpecker .azure .cargo .mvn .yarn .bundle
  .tidemark .cursor .clinerules .roo .kilo .kilocode .continue .windsurf .claude .codex .gemini .kiro .opencode .junie .amazonq .augment .trae .goose`);

/** Read as soon as a folder is opened, entered or pushed, by editors, agents, shells, version managers, package managers and servers for CI. */
const opened = words(`
  agents.md agents.override.md agent.md claude.md claude.local.md gemini.md qwen.md warp.md crush.md skill.md conventions.md copilot-instructions.md
  llms.txt opencode.json opencode.jsonc mcp.json mcp_config.json claude_desktop_config.json crush.json goose.yaml
  jenkinsfile bitbucket-pipelines.yml bitrise.yml codemagic.yaml buildspec.yml buildspec.yaml appspec.yml cloudbuild.yaml action.yml action.yaml
  tekton.yaml goreleaser.yml codecov.yml renovate.json renovate.json5 codeowners
  mise.toml config.fish init.lua init.vim bunfig.toml sitecustomize.py usercustomize.py pnpmfile.cjs
  .envrc .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnp.cjs .pnp.loader.mjs .gitattributes .gitmodules .gitconfig .mcp.json .env .devcontainer.json
  .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zprofile .zshenv .zlogin .inputrc .pypirc
  .gitlab-ci.yml .travis.yml .drone.yml .woodpecker.yml .cirrus.yml .appveyor.yml .pre-commit-config.yaml .pre-commit-hooks.yaml .overcommit.yml
  .huskyrc .lintstagedrc .justfile .mise.toml .tool-versions .terraformrc .rprofile .irbrc .pryrc .rspec .pdbrc .dir-locals.el
  .vimrc .exrc .nvimrc .nvim.lua .gdbinit .lldbinit .cursorrules .clinerules .windsurfrules .goosehints .rules .aider.conf.yml`);

/** Read when somebody builds, tests, installs or deploys. */
const built = words(`
  package.json composer.json bower.json jsr.json deno.json deno.jsonc binding.gyp pnpm-workspace.yaml lerna.json nx.json
  turbo.json rush.json project.json workspace.json angular.json nodemon.json app.json firebase.json vercel.json netlify.toml wrangler.toml fly.toml
  package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock index.html shadow-cljs.edn
  pyproject.toml setup.py setup.cfg tox.ini pytest.ini noxfile.py conftest.py tasks.py fabfile.py dodo.py manage.py conda.yaml manifest.in
  pipfile pipfile.lock poetry.lock uv.lock pixi.toml environment.yml conanfile.py conanfile.txt wscript sconstruct sconscript
  cargo.toml cargo.lock build.rs rust-toolchain rust-toolchain.toml bacon.toml go.mod go.sum go.work build.zig build.zig.zon
  gemfile gemfile.lock rakefile guardfile fastfile brewfile podfile podfile.lock cartfile dangerfile package.swift package.resolved
  pom.xml build.xml build.sbt build.sc settings.gradle settings.gradle.kts build.gradle build.gradle.kts gradle.properties
  gradle-wrapper.properties gradlew gradlew.bat mvnw mvnw.cmd project.clj deps.edn mix.exs mix.lock rebar.config pubspec.yaml pubspec.lock
  setup.hs stack.yaml cabal.project dune dune-project shard.yml description project.toml manifest.toml global.json nuget.config packages.config
  directory.build.props directory.build.targets directory.packages.props paket.dependencies manifest.mf
  makefile gnumakefile bsdmakefile justfile cmakelists.txt cmakepresets.json cmakeuserpresets.json meson.build meson_options.txt meson.options vcpkg.json
  configure configure.ac configure.in makefile.am makefile.in kbuild kconfig jamfile build.ninja premake5.lua xmake.lua build workspace build.pl
  makefile.pl cpanfile pkgbuild robofile.php buck tiltfile earthfile snakefile dockerfile containerfile procfile vagrantfile ansible.cfg
  app.yaml render.yaml heroku.yml serverless.yml skaffold.yaml kustomization.yaml chart.yaml helmfile.yaml pulumi.yaml cdk.json
  environment.yaml package.yaml elm.json gleam.toml dub.json dub.sdl esy.json bsconfig.json rescript.json fpm.toml v.mod alire.toml spago.dhall
  berksfile thorfile capfile puppetfile cakefile tupfile mkfile magefile.go config.ru hatch_build.py hatch.toml phpunit.xml phpunit.xml.dist
  build.yaml melos.yaml biome.json biome.jsonc`);

/** Names of a kind: those with several endings, those of one tool's settings, and scripts that build. */
const openedKinds: readonly RegExp[] = [
  /^(?:lefthook|azure-pipelines[\w-]*|cloudbuild|appveyor|wercker|codefresh|gitlab-ci)\.(?:ya?ml|toml|json)$/,
  /^\.\w+rc(?:\.\w+)?$|^jenkinsfile\.|\.(?:sublime-project|mdc|code-workspace)$/,
  /\.(?:agent|prompt|instructions|chatmode)\.md$|^(?:agents|claude|gemini)\..*md$/,
];
const builtKinds: readonly RegExp[] = [
  /^taskfile\.(?:ya?ml|toml|json)$/,
  /^(?:gulpfile|gruntfile|jakefile|webpack|rollup)\..*(?:[jt]s|coffee)$|\.lock$/,
  /^(?:ts|js)config\b.*\.json$|^(?:dev-)?requirements\b.*\.(?:txt|in)$|^constraints.*\.txt$/,
  /\.(?:config|conf)\.\w+$/,
  /\.(?:\w+proj|props|targets|sln|pbxproj|xcconfig|xcscheme|gemspec|podspec|rockspec|cabal|opam|nimble|gradle|sbt|gyp|gypi)$/,
  /\.(?:nix|bazel|bzl|mk|mak|cmake|tf|tfvars|hcl)$/,
  /^(?:dockerfile|containerfile|makefile)\.|\.(?:dockerfile|makefile)$|^(?:docker-)?compose\b.*\.ya?ml$/,
  /^(?:build|make|bootstrap|configure|autogen|install|setup|release|deploy|publish|(?:docker-)?entrypoint|ci)\.(?:ba|z|fi)?sh$/,
  /^(?:build|make|bootstrap|configure|install|setup|release|deploy|publish)\.(?:ps1|bat|cmd)$/,
];
const builtFolders = words('node_modules rakelib debian requirements');

export interface Obeyed {
  /** `opened`: read without a deed of the user's; `built`: when somebody builds or tests; `odd`: the name means another one to some system. */
  readonly when: 'opened' | 'built' | 'odd';
  /** Why changing it asks, in words. */
  readonly because: string;
}

/** Whether a file's name makes it code or policy; null where it does not. `parts`: its path from the open folder on, name by name. */
export function obeyed(parts: readonly string[]): Obeyed | null {
  const own = parts.map(plainName);
  // Dots and blanks at the end of a name are nothing to Windows, and signs that do not show are nothing to a reader.
  const bare = own.map((part) => part.replace(/\p{Cf}/gu, '').replace(/[. ]+$/, ''));
  const name = bare.at(-1) ?? '';
  const folder = bare.find((part) => openedFolders.has(part));
  if (folder !== undefined) return { when: 'opened', because: `what stands in ${folder} is run or obeyed` };
  const says = `what ${name} says is run or obeyed`;
  if (name.endsWith('.code-workspace'))
    return { when: 'opened', because: 'a workspace file sets how the folder is opened' };
  if (opened.has(name) || openedKinds.some((kind) => kind.test(name))) return { when: 'opened', because: says };
  // Whoever starts the Python of an environment runs all that lies there, whatever its name.
  if (name.endsWith('.pth')) return { when: bare.includes('site-packages') ? 'built' : 'opened', because: says };
  // `a:b` is a stream of `a`, `ABCDEF~1` the short name of a longer one, `a\b` is `b` in `a`, and `con` is no file.
  if (own.some((part) => /[:\\]|~\d|\p{Cf}|^(?:con|prn|aux|nul|com\d|lpt\d)(?:[. ]|$)/u.test(part)))
    return { when: 'odd', because: 'on some systems its name means something else' };
  if (built.has(name) || builtKinds.some((kind) => kind.test(name))) return { when: 'built', because: says };
  const place = bare.slice(0, -1).find((part) => builtFolders.has(part));
  return place === undefined ? null : { when: 'built', because: `what stands in ${place} is run or obeyed` };
}

/** The outermost part of a path that others obey without a deed of the user's; null for none. `path`: from the open folder on, with `/`. */
export function obeyedPart(path: string): string | null {
  const parts = path.split('/');
  for (let end = 1; end <= parts.length; end++)
    if (obeyed(parts.slice(0, end))?.when === 'opened') return parts.slice(0, end).join('/');
  return null;
}

/** Some file systems take other spellings for the same name: other cases, and signs that look alike. */
export function plainName(part: string): string {
  return part.normalize('NFKC').toUpperCase().toLowerCase();
}
