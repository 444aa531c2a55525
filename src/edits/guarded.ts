// Names that become code or policy: what such a file says is run or obeyed later, by whoever opens, builds or checks out the folder. Changing
// one always asks the user, whatever the change. No list of them is whole: other rules ask as well (asking.ts), and these give the words.
import { relative, sep } from 'node:path';
import { isInside, type Root } from '../tools/files/paths.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ''));

/** Folders that are guarded anywhere in a path, in upper or lower case. */
const folders = words(`
  .git .hg .svn .husky .githooks .vscode .idea .run .devcontainer .zed .fleet .ssh node_modules
  .github .gitlab .gitea .forgejo .circleci .buildkite .ci .woodpecker .cargo .mvn .yarn .bundle
  .tidemark .cursor .clinerules .roo .kilo .kilocode .continue .windsurf .claude .codex .gemini .kiro .opencode .junie .amazonq .augment .trae .goose`);

const names = words(`
  package.json composer.json bower.json jsr.json deno.json deno.jsonc bunfig.toml binding.gyp pnpmfile.cjs pnpm-workspace.yaml lerna.json nx.json
  turbo.json rush.json project.json workspace.json angular.json nodemon.json app.json firebase.json vercel.json netlify.toml wrangler.toml fly.toml
  package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock index.html
  pyproject.toml setup.py setup.cfg tox.ini pytest.ini noxfile.py conftest.py tasks.py fabfile.py dodo.py manage.py sitecustomize.py
  usercustomize.py pipfile pipfile.lock poetry.lock uv.lock pixi.toml environment.yml manifest.in conanfile.py conanfile.txt wscript sconstruct sconscript
  cargo.toml cargo.lock build.rs rust-toolchain rust-toolchain.toml go.mod go.sum go.work build.zig build.zig.zon
  gemfile gemfile.lock rakefile guardfile fastfile brewfile podfile podfile.lock cartfile dangerfile package.swift package.resolved
  pom.xml build.xml build.sbt build.sc settings.gradle settings.gradle.kts build.gradle build.gradle.kts gradle.properties
  gradle-wrapper.properties gradlew gradlew.bat mvnw mvnw.cmd project.clj deps.edn mix.exs mix.lock rebar.config pubspec.yaml pubspec.lock
  setup.hs stack.yaml cabal.project dune dune-project shard.yml description project.toml manifest.toml global.json nuget.config packages.config
  directory.build.props directory.build.targets directory.packages.props
  makefile gnumakefile bsdmakefile justfile cmakelists.txt cmakepresets.json cmakeuserpresets.json meson.build meson_options.txt vcpkg.json
  configure configure.ac configure.in makefile.am makefile.in kbuild kconfig jamfile build.ninja premake5.lua xmake.lua build workspace
  buck tiltfile earthfile snakefile jenkinsfile dockerfile containerfile procfile vagrantfile brewfile ansible.cfg
  bitbucket-pipelines.yml bitrise.yml codemagic.yaml buildspec.yml appspec.yml cloudbuild.yaml app.yaml render.yaml heroku.yml serverless.yml
  skaffold.yaml kustomization.yaml chart.yaml helmfile.yaml pulumi.yaml cdk.json mise.toml config.fish init.lua init.vim
  agents.md agent.md claude.md claude.local.md gemini.md qwen.md warp.md crush.md skill.md conventions.md copilot-instructions.md
  opencode.json opencode.jsonc mcp.json
  environment.yaml package.yaml elm.json gleam.toml dub.json dub.sdl esy.json bsconfig.json rescript.json fpm.toml v.mod alire.toml spago.dhall
  berksfile thorfile capfile puppetfile cakefile tupfile mkfile magefile.go config.ru hatch_build.py hatch.toml phpunit.xml phpunit.xml.dist
  build.yaml melos.yaml biome.json biome.jsonc codecov.yml renovate.json renovate.json5 codeowners
  .envrc .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pnp.cjs .pnp.loader.mjs .gitattributes .gitmodules .gitconfig .mcp.json .env .devcontainer.json
  .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zprofile .zshenv .zlogin .inputrc
  .gitlab-ci.yml .travis.yml .drone.yml .woodpecker.yml .cirrus.yml .appveyor.yml .pre-commit-config.yaml .pre-commit-hooks.yaml .overcommit.yml
  .huskyrc .lintstagedrc .justfile .mise.toml .tool-versions .terraformrc .rprofile .irbrc .pryrc .rspec .pdbrc .dir-locals.el
  .vimrc .exrc .nvimrc .nvim.lua .gdbinit .lldbinit .cursorrules .clinerules .windsurfrules .goosehints .rules .aider.conf.yml`);

/** Names of a kind: those with several endings, those of one tool's settings, and scripts that build. */
const kinds: readonly RegExp[] = [
  /^(?:taskfile|lefthook|azure-pipelines|cloudbuild|appveyor|wercker|codefresh|gitlab-ci)\.(?:ya?ml|toml|json)$/,
  /^(?:gulpfile|gruntfile|jakefile|webpack|rollup)\..*(?:[jt]s|coffee)$|\.lock$/,
  /^(?:ts|js)config\b.*\.json$|^requirements\b.*\.(?:txt|in)$|^constraints.*\.txt$/,
  /\.(?:config|conf)\.\w+$|^\.\w+rc(?:\.\w+)?$/,
  /\.(?:\w+proj|props|targets|sln|pbxproj|xcconfig|xcscheme|gemspec|podspec|rockspec|cabal|opam|nimble|gradle|sbt|gyp|gypi)$/,
  /\.(?:nix|bazel|bzl|mk|mak|cmake|tf|tfvars|hcl|pth|sublime-project|mdc)$/,
  /^(?:dockerfile|containerfile|makefile|jenkinsfile)\.|\.(?:dockerfile|makefile)$|^(?:docker-)?compose\b.*\.ya?ml$/,
  /^(?:build|make|bootstrap|configure|autogen|install|setup|release|deploy|publish|(?:docker-)?entrypoint|ci)\.(?:ba|z|fi)?sh$/,
  /^(?:build|make|bootstrap|configure|install|setup|release|deploy|publish)\.(?:ps1|bat|cmd)$/,
  /\.(?:agent|prompt|instructions|chatmode)\.md$|^(?:agents|claude|gemini)\..*md$/,
];

/** Why changing a file asks the user, by its name alone, in words; null where it need not. */
export function guardedBecause(roots: readonly Root[], real: string): string | null {
  const parts = partsOf(roots, real);
  // Dots and blanks at the end of a name are nothing to Windows.
  const bare = parts.map((part) => part.replace(/[. ]+$/, ''));
  const name = bare.at(-1) ?? '';
  // `a:b` is a stream of `a`, `ABCDEF~1` the short name of a longer one, and `con` no file.
  if (parts.some((part) => /:|~\d|^(?:con|prn|aux|nul|com\d|lpt\d)(?:[. ]|$)/.test(part)))
    return 'on Windows its name means something else';
  const folder = bare.find((part) => folders.has(part));
  if (folder !== undefined) return `what stands in ${folder} is run or obeyed`;
  if (names.has(name) || kinds.some((kind) => kind.test(name))) return `what ${name} says is run or obeyed`;
  if (name.endsWith('.code-workspace')) return 'a workspace file sets how the folder is opened';
  const hidden = parts.find((part) => part.startsWith('.'));
  return hidden === undefined ? null : `${hidden} begins with a dot, as the files that tools obey do`;
}

/** Some file systems take other spellings for the same name: other cases, and signs that look alike. */
function partsOf(roots: readonly Root[], real: string): readonly string[] {
  const owner = roots.find((one) => isInside(one.real, real));
  const rest = owner === undefined ? real : relative(owner.real, real);
  return rest.split(sep).map((part) => part.normalize('NFKC').toUpperCase().toLowerCase());
}
