// The shell that a command runs in, with its limits, and the keeper beside it, which ends all that the command started and tells what was left.
import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import type { Started } from '../fence/walls.ts';

/** Bytes of one file, and processes of a command. */
const mostFileBytes = 2 ** 31;
export const mostProcesses = 1024;

/**
 * No core file, and the two outputs are one, so that their order stays. `others`: processes of this user that count too. `programs`:
 * folders whose programs come first, for the command alone: what starts the fence is found without them. On Windows the shell is PowerShell,
 * which has no such limits.
 */
export function shellOf(text: string, others: number, programs: readonly string[]): Started {
  if (process.platform === 'win32')
    return { program: 'powershell.exe', args: ['-NoProfile', '-NonInteractive', '-Command', powerShellLine(text)] };
  const bash = ['/bin/bash', '/usr/bin/bash'].find(existsSync);
  const limits = [`-c 0`, `-f ${mostFileBytes / 1024}`, `-u ${mostProcesses + others}`].map(
    (limit) => `ulimit ${limit} 2>/dev/null`,
  );
  const first = programs.length === 0 ? '' : ' PATH=$2:$PATH;';
  const script = `${limits.join('; ')}; exec 2>&1 3>&-; __line=$1;${first} shift $#; eval "$__line"`;
  const given = [text, ...(programs.length === 0 ? [] : [programs.join(delimiter)])];
  return bash === undefined
    ? { program: '/bin/sh', args: ['-c', script, 'sh', ...given] }
    : { program: bash, args: ['--noprofile', '--norc', '-c', script, 'bash', ...given] };
}

/** Told among the names of what was left: longer than the name of a process can be, proc(5). */
export const soughtNetwork = '/it sought the network';

/**
 * Behind the fence all others that are there were left by the command: their names go to the fourth output, and they end with their namespace. So does
 * whether it sought the network, by the counters of the namespace: packets without a route, and questions to no port, as to a name server
 * (proc(5), /proc/net/snmp; RFC 4293, RFC 4113).
 */
const fencedKeeper = `sought() {
  while read -r name a b c d e f g h i j k l rest; do
    case "$name$a" in Ip:[0-9]*) lost=$l ;; Udp:[0-9]*) echo "$lost $b" ;; esac
  done 2>/dev/null < /proc/net/snmp
}
before=$(sought)
"$@"
code=$?
[ "$before" = "$(sought)" ] || echo '${soughtNetwork}' >&3
for one in /proc/[0-9]*; do
  { read -r line < "$one/stat"; } 2>/dev/null || continue
  rest=\${line##*) }
  case "\${one#/proc/}" in 1|$$) ;; *) case "$rest" in Z*) ;; *) name=\${line#*(}; echo "\${name%)*}" >&3 ;; esac ;; esac
done
exit $code`;

/**
 * Without a fence whatever the command leaves becomes a child of the keeper: PR_SET_CHILD_SUBREAPER of prctl(2), which Perl can ask for without a
 * module. It ends all of them when the command has ended, when it is told to (SIGUSR1), and when this process has gone (PR_SET_PDEATHSIG).
 */
const openKeeper = String.raw`
my ($machine) = (POSIX::uname())[4];
my %prctl = ('x86_64', 157, 'aarch64', 167, 'riscv64', 167, 'ppc64le', 171, 's390x', 172, 'armv7l', 172, 'i686', 172);
my $number = $prctl{$machine} or exit 125;
syscall($number, 36, 1, 0, 0, 0) == 0 or exit 125;
syscall($number, 1, 10, 0, 0, 0);
my ($end, $waits) = (0, 0);
# Perl waits on after a signal unless its handler dies; more than one may come, as each thread of this process goes.
$SIG{USR1} = sub { $end = 1; if ($waits) { $waits = 0; die } };
$SIG{TERM} = $SIG{INT} = $SIG{HUP} = sub { };
my $child = fork();
exit 125 unless defined $child;
if ($child == 0) { exec { $ARGV[0] } @ARGV or exit 127 }
open(my $told, '>&=', 3);
my $status = 0;
eval {
  $waits = 1;
  die if $end;
  my $gone;
  do { $gone = waitpid(-1, 0); $status = $? if $gone == $child } until $gone == $child || $gone == -1;
  $waits = 0;
};
my %names;
for my $round (1 .. 200) {
  1 while waitpid(-1, 1) > 0;
  my %parent;
  for my $stat (glob('/proc/[0-9]*/stat')) {
    open(my $file, '<', $stat) or next;
    my $line = <$file> // next;
    $parent{$1} = [$4, $3, $2] if $line =~ /^(\d+) \((.*)\) (\S) (\d+)/s;
  }
  my %own = ($$ => 1);
  my $more = 1;
  while ($more) { $more = 0; for (keys %parent) { if (!$own{$_} && $own{$parent{$_}[0]}) { $own{$_} = $more = 1 } } }
  delete $own{$$};
  my @left = grep { $parent{$_}[1] ne 'Z' } keys %own;
  last unless @left;
  for (@left) { print {$told} "$parent{$_}[2]\n" unless $end || $names{$_}++; kill 9, $_ }
  select(undef, undef, undef, 0.01);
}
1 while waitpid(-1, 1) > 0;
if ($status & 127) { $SIG{$_} = 'DEFAULT' for qw(TERM INT HUP USR1); kill $status & 127, $$ }
exit($status >> 8);
`;

/** The shell of a command with its keeper; without one only the command's process group ends with it. */
export function keptShell(shell: Started, isFenced: boolean): Started {
  if (isFenced && process.platform === 'linux')
    return { program: '/bin/sh', args: ['-c', fencedKeeper, 'sh', shell.program, ...shell.args] };
  const perl = canKeepAll() ? perlPlaces.find(existsSync) : undefined;
  return perl === undefined
    ? shell
    : { program: perl, args: ['-MPOSIX', '-e', openKeeper, '--', shell.program, ...shell.args] };
}

/**
 * Windows PowerShell 5.1 writes in the code page of the console, and so do the programs that it starts; its own exit code is 0 or 1, whatever theirs
 * is: about_Character_Encoding, about_Automatic_Variables. Written by its documentation, and not run by us.
 */
export function powerShellLine(text: string): string {
  const encoding = 'chcp 65001 > $null; [Console]::OutputEncoding = [Text.Encoding]::UTF8';
  return `${encoding}; ${text}\nif ($LASTEXITCODE) { exit $LASTEXITCODE }`;
}

const perlPlaces = ['/usr/bin/perl', '/bin/perl', '/usr/local/bin/perl'];

/** Whether whatever a command leaves ends with it where there is no fence. */
export function canKeepAll(): boolean {
  return process.platform === 'linux' && perlPlaces.some(existsSync);
}
