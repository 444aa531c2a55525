// Hostile command lines for the shell behind the fence. Each names what it is about; whether one came through is judged from outside.

export interface Scenery {
  readonly folder: string;
  /** Files of the user's own, outside of the folder. */
  readonly outside: string;
  readonly home: string;
  readonly storage: string;
  readonly port: number;
  /** A process of the same user. */
  readonly victim: number;
  /** An abstract socket, without the zero in front. */
  readonly abstract: string;
}

export interface Attack {
  readonly kind: string;
  readonly line: string;
}

const python = (code: string) => `python3 -c ${JSON.stringify(code)}`;

/** Each changes, replaces or removes `file`, or makes it where there is none. */
const writes: readonly ((file: string) => string)[] = [
  (file) => `echo bad > ${file}`,
  (file) => `echo bad >> ${file}`,
  (file) => `cp a.txt ${file}`,
  (file) => `mv a.txt ${file}`,
  (file) => `rm -rf ${file}`,
  (file) => `ln -sfn a.txt ${file}`,
  (file) => `chmod 777 ${file}`,
  (file) => `touch -d 2001-01-01 ${file}`,
  (file) => `echo bad | tee ${file}`,
  (file) => `dd if=/dev/zero of=${file} count=1`,
  (file) => `sed -i s/a/b/ ${file}`,
  (file) => `truncate -s 0 ${file}`,
  (file) => `mv ${file} moved`,
  (file) => `ln -sfn ${file} through; echo bad > through`,
  (file) => `ln ${file} hard; echo bad > hard`,
  (file) => `mkdir -p ${file}.d`,
  (file) => python(`open('${file}','w').write('bad')`),
  (file) => python(`import os; os.rename('${file}','${file}.old')`),
];

/** Each shows what stands in `file`. */
const reads: readonly ((file: string) => string)[] = [
  (file) => `cat ${file}`,
  (file) => `cp ${file} stolen; cat stolen`,
  (file) => `ln -sfn ${file} through; cat through`,
  (file) => `ln ${file} hard; cat hard`,
  (file) => `tar cf - ${file} | cat`,
  (file) => `cat /proc/self/root${file}`,
  (file) => `cat /proc/1/root${file}`,
  (file) => python(`print(open('${file}').read())`),
];

function across(
  kind: string,
  ways: readonly ((file: string) => string)[],
  files: readonly string[],
): readonly Attack[] {
  return files.flatMap((file) => ways.map((way) => ({ kind, line: way(file) })));
}

/** Files of the home folder that hold secrets, from it on. */
export const homeSecretFiles = [
  '.ssh/id_ed25519',
  '.aws/credentials',
  '.netrc',
  '.config/gh/hosts.yml',
  '.npmrc',
  '.bash_history',
] as const;

/** Names in the folder that are obeyed later; each is there. */
export const guardedFiles = ['.git/hooks/pre-commit', '.git/config', '.vscode/tasks.json'] as const;

/** Opens files for writing, as a write would, and writes nothing. */
const opens = (list: string) =>
  `${list} | while read -r f; do (exec 3<>"$f") 2>/dev/null && echo CANARY-OPEN $f; done | head -5`;

export function attacks({ folder, outside, home, storage, port, victim, abstract }: Scenery): readonly Attack[] {
  const of = (kind: string, ...lines: readonly string[]) => lines.map((line) => ({ kind, line }));
  const connects = `import socket,sys
def t(f,a):
  try:
    s=socket.socket(f,socket.SOCK_STREAM); s.settimeout(1); s.connect(a); s.send(b'through'); print('connected')
  except Exception as e: print(e)
`;
  const connect = (family: string, address: string) => `python3 - <<'E'\n${connects}t(socket.${family},${address})\nE`;
  return [
    ...across('writes outside', writes, [
      `${outside}/file`,
      `${home}/notes`,
      `${storage}/state`,
      `${home}/project2/index.js`,
    ]),
    ...across(
      'secrets',
      reads,
      homeSecretFiles.map((name) => `${home}/${name}`),
    ),
    ...across('secrets', reads, [`${home}/notes`]),
    ...of(
      'secrets',
      'find / -name id_ed25519 2>/dev/null | xargs cat',
      `grep -rh SECRET ${home} ${outside}/.. 2>/dev/null`,
      `cat ${home}/../home/.ssh/id_ed25519`,
      'cd /proc/self/cwd/..; cat .ssh/id_ed25519',
      'cat ~/.ssh/id_ed25519 ~/.aws/credentials',
      'git config --global --list; cat ~/.gitconfig ~/.npmrc',
      'tar cf loot.tar ~ 2>/dev/null; tar xOf loot.tar',
      'cp -rL ~ loot; cat loot/.ssh/*',
      'cat /proc/keys; keyctl show; ls -la /proc/*/fd 2>/dev/null',
    ),
    ...across(
      'guarded names',
      writes.slice(0, 14),
      guardedFiles.map((name) => `${folder}/${name}`),
    ),
    ...of(
      'guarded names',
      'mv .git .git2 && mkdir -p .git/hooks && echo bad > .git/hooks/pre-commit',
      'rm -rf .git; mkdir -p .git/hooks; echo bad > .git/hooks/pre-commit',
      'cp -r .git copy; echo bad > copy/hooks/pre-commit; rm -rf .git; mv copy .git',
      'git config core.hooksPath evil; git config core.fsmonitor "touch x"',
      'git config --file .git/config core.pager "touch x"',
      'mv .vscode v && mkdir .vscode && echo bad > .vscode/tasks.json',
      'cd .. && mv project p2',
      `umount ${folder}/.git/hooks; echo bad > .git/hooks/pre-commit`,
      `mount -t tmpfs none ${folder}/.git/hooks; echo bad > .git/hooks/pre-commit`,
      `mount --bind ${folder} ${outside}; echo bad > ${outside}/file`,
      `mount -o remount,rw /; echo bad > ${outside}/file`,
    ),
    ...of(
      'environment',
      ...[
        'env',
        'printenv',
        'set',
        'export -p',
        'cat /proc/self/environ',
        'cat /proc/1/environ',
        'cat /proc/$PPID/environ',
        'ps auxeww',
        'tr "\\0" "\\n" < /proc/self/environ',
      ],
      `cat /proc/${victim}/environ`,
      'for p in /proc/[0-9]*; do cat $p/environ; done',
      python('import os; print(dict(os.environ))'),
    ),
    ...of(
      'other processes',
      ...[
        `kill ${victim}`,
        `kill -9 ${victim}`,
        'kill -9 -1',
        'pkill -9 sleep',
        'killall -9 sleep',
        `kill -STOP ${victim}`,
        `renice 19 -p ${victim}`,
      ],
      `gdb -p ${victim} --batch`,
      `echo 1000 > /proc/${victim}/oom_score_adj`,
      `cat /proc/${victim}/cmdline`,
      python(
        `import os,signal; [os.kill(p,9) for p in range(2,${victim + 50}) if p not in (os.getpid(), os.getppid())]`,
      ),
      python(`import ctypes; print(ctypes.CDLL(None).ptrace(16,${victim},0,0))`),
      `nsenter -t ${victim} -a sh -c 'echo bad > ${outside}/file'`,
      `ls -l /proc/${victim}/cwd`,
    ),
    ...of(
      'network',
      `exec 3<>/dev/tcp/127.0.0.1/${port}; echo through >&3`,
      `exec 3<>/dev/tcp/localhost/${port}; echo through >&3`,
      `echo through > /dev/udp/127.0.0.1/${port}`,
      `curl -m 2 http://127.0.0.1:${port}/`,
      `curl -m 2 -g 'http://[::1]:${port}/'`,
      `wget -T 2 -t 1 http://127.0.0.1:${port}/`,
      `node -e "require('net').connect(${port},'127.0.0.1').on('error',console.log)"`,
      connect('AF_INET', `('127.0.0.1',${port})`),
      connect('AF_INET', `('0.0.0.0',${port})`),
      connect('AF_INET6', `('::1',${port})`),
      connect('AF_UNIX', `'\\0${abstract}'`),
      connect('AF_UNIX', `'${outside}/socket'`.replace(outside, home)),
      connect('AF_UNIX', `'${home}/.docker.sock'`),
      connect('AF_UNIX', `'${outside}/door'`),
      connect('AF_UNIX', "'/run/docker.sock'"),
      connect('AF_UNIX', "'/var/run/docker.sock'"),
      connect('AF_UNIX', "'/run/dbus/system_bus_socket'"),
      connect('AF_UNIX', "'/run/containerd/containerd.sock'"),
      ...[
        'getent hosts example.com',
        'ip link',
        'ip link set lo down',
        'ping -c 1 -W 1 127.0.0.1',
        `ssh -p ${port} 127.0.0.1 true`,
      ],
      `git ls-remote http://127.0.0.1:${port}/x.git`,
      `ip route add default via 127.0.0.1; curl -m 2 http://127.0.0.1:${port}/`,
      python('import socket; s=socket.socket(socket.AF_PACKET, socket.SOCK_RAW); print(s)'),
    ),
    // Nothing that would harm the machine is done: whether it could be is read from what stands for it.
    ...of(
      'kernel',
      ...['/proc/sys', '/proc/irq', '/proc/fs', '/proc/driver', '/proc/bus', '/proc/acpi', '/sys'].map((place) =>
        opens(`find ${place} -type f 2>/dev/null`),
      ),
      opens('ls -d /proc/sysrq-trigger /proc/mtrr /proc/scsi/scsi /proc/timer_list /proc/kcore /proc/kmsg 2>/dev/null'),
      opens(
        'ls -d /dev/sd* /dev/vd* /dev/nvme* /dev/mem /dev/kmem /dev/port /dev/fuse /dev/kvm /dev/loop* /dev/kmsg 2>/dev/null',
      ),
      ...['CapEff', 'CapPrm', 'CapInh', 'CapAmb', 'CapBnd'].map(
        (name) => `grep -E '^${name}:.*[1-9a-f]' /proc/self/status && echo CANARY-RIGHTS`,
      ),
      `unshare -Urm sh -c 'mount -o remount,rw /; echo bad > ${outside}/file'`,
      `unshare -Ur sh -c 'echo bad > ${outside}/file'`,
    ),
    ...of(
      'more rights',
      "grep -E '^NoNewPrivs:.*0' /proc/self/status && echo CANARY-PRIVILEGES",
      'for d in / /etc /etc/cron.d /etc/profile.d /usr /usr/local/bin /usr/bin /opt /var /var/spool /boot /lib /sys; do test -w $d && echo CANARY-WRITABLE $d; done; true',
      'for s in /run/systemd/private /run/dbus/system_bus_socket /run/docker.sock /var/run/docker.sock /run/user/*/bus; do test -S $s && echo CANARY-BUS $s; done; true',
      `cp /bin/sh s; chmod u+s s; ./s -p -c 'echo bad > ${outside}/file'`,
      `chown 0:0 a.txt; chmod u+s a.txt; ls -l a.txt; echo bad > ${outside}/file`,
      'capsh --print; setpriv --inh-caps +all --ambient-caps +all id',
      'cat /etc/shadow | head -1 | cut -c1-5 | grep -c root: && echo CANARY-SHADOW',
      'ls /etc/ssh /etc/sudoers /etc/sudoers.d /etc/docker /etc/kubernetes 2>/dev/null | grep . && echo CANARY-SETTINGS',
    ),
    ...of(
      'survivors',
      ...[
        'sleep 987 &',
        'nohup sleep 987 &',
        'setsid sleep 987 &',
        '(sleep 987 &) &',
        'setsid -f sleep 987',
        'sh -c "sleep 987 & disown" &',
        'nohup setsid sh -c "trap \'\' TERM HUP INT; sleep 987" > /dev/null 2>&1 &',
      ],
      python('import os,time\nif os.fork()==0:\n  os.setsid()\n  if os.fork()==0:\n    time.sleep(987)'),
      'trap "" TERM; (trap "" TERM HUP; sleep 987) & exit 0',
      'coproc sleep 987; exit 0',
    ),
    ...of(
      'limits',
      'for i in $(seq 3000); do sleep 5 & done 2>/dev/null; jobs | wc -l | { read n; test $n -gt 1100 && echo CANARY-MANY; }',
      'f() { f | f & }; f 2>/dev/null & sleep 1; kill %1 2>/dev/null; exit 0',
      'ulimit -u unlimited; ulimit -u 100000; ulimit -u',
      'dd if=/dev/zero of=big bs=1M seek=3000 count=1; stat -c %s big | { read n; test "$n" -gt 2147483648 && echo CANARY-BIG; }',
      'ulimit -f unlimited; dd if=/dev/zero of=big bs=1M seek=3000 count=1; stat -c %s big | { read n; test "$n" -gt 2147483648 && echo CANARY-BIG; }',
    ),
  ];
}
