// Words of programming that stand for one another in questions and in code, as stems. A group is a line.
import { stem } from './words.ts';

const groups = `
error exception failure fail throw raise panic reject crash blow invalid broken
limit maximum max cap bound most threshold
minimum min least
wait delay sleep pause backoff interval
timeout deadline expire late
close shutdown stop terminate destroy dispose quit exit finish end
start begin init initialize boot launch run
add insert append push put register enqueue
remove delete drop evict discard prune clear unregister erase
check validate verify assert guard ensure
find search lookup locate match
create make build construct generate new
change modify update mutate edit alter
text string message
list array collection sequence
item element value
empty blank zero none null nil missing undefined
twice double duplicate repeat again dedupe
lock mutex freeze frozen synchronized
parse read decode scan
write print output encode serialize format render emit
secret password credential auth login
connection socket stream
response answer reply
request call query fetch
send dispatch post emit publish
callback handler hook listener
order sort priority
default fallback initial
copy clone
size length count number amount
big large huge overflow infinite
compare equal same
skip ignore omit
join merge combine concat
split divide cut separate
retry attempt again
cache memo store save keep
parallel concurrent simultaneous async
thread worker
allow permit enable
forbid deny disable block
show display
option setting config parameter
random jitter
convert transform map translate
ratio similarity alike
folder directory
user visitor client caller
row line record
column field
header trailer
leading prefix start
trailing suffix end
`;

const meanings = new Map<string, Set<string>>();
for (const group of groups.trim().split('\n')) {
  const stems = group.split(' ').map(stem);
  for (const one of stems) {
    const others = meanings.get(one) ?? new Set();
    for (const other of stems) if (other !== one) others.add(other);
    meanings.set(one, others);
  }
}

/** Stems of words that may be meant by a stem; none for most words. */
export function synonymsOf(stemmed: string): ReadonlySet<string> {
  return meanings.get(stemmed) ?? nothing;
}

const nothing: ReadonlySet<string> = new Set();
