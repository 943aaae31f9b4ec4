/** Tells linear work from quadratic work by the processor time of two sizes. */
import assert from "node:assert/strict";

/** Quadratic work takes more than `NOTICED_MS` for this size already; only then two sizes are compared. */
const PROBE = 12_000;
const NOTICED_MS = 2;
/** The larger of two sizes; `PROBE` when that is slow already. */
const LARGE = 100_000;
const SLOW_MS = 50;
/** Linear work takes 4 times as long for 4 times the size, quadratic work 16 times. */
const MAX_RATIO = 9;
/** Below this time the large size is fast enough, whatever the ratio. */
const FAST_MS = 20;
const ROUNDS = 4;

/** What authors and visitors repeat: openings of marks whose end is missing, and characters that patterns run over. */
export const REPEATED: readonly string[] = [
  ..."[gallery |[caption |[caption]|[code]|[embed |[video |[a |[/a]|[ab=]|{{< |{{< a |{{% |{{< highlight a|{{< ref |{{< figure ".split(
    "|",
  ),
  ..."{{ baseurl|{{ '|{% |{% link |{% highlight a %}|{% raw %}|<!--|<!-- more|<!-- wp:|[[|![[|![|[|](|[a](|[a]: |:::|:::note ".split(
    "|",
  ),
  ...'{{|{{a |{{a "|{|}|{a|[^|[^a]: |$$|$|<div |<div>|<a |<a href="|<a id=\'|<|</|<?|<!|<A |<A "|<A {|<pre |<code>|<script>'.split(
    "|",
  ),
  ...'<figure class=wp-block-embed>|<hr |*[|*[a]: |==|--8<--|((|(|(link: |(image: a text: |{:|{: .a|{/*|/*|%%|!!! |??? "|> [!a]'.split(
    "|",
  ),
  ..."\"|'|`|``|```|``` |~~~|- |> |* |1. |# |## a |\t| | \n|a\n\n|=|-|*|_|*a_|**a|~|&|&amp;|&#|\\|/|.|,|:|;|@|a@|a.|http://|https://a".split(
    "|",
  ),
  ...'import |export const |import a from \'|^|+|+++\n|---\n|a|A|1|a |a-|a=|a="b" |a: |- a: |x^|H~|[x] |\u00e9|\u00a0|\r\n|\r'.split(
    "|",
  ),
  "|",
  "| a ",
];

/** The texts of two sizes that repeat `part`, and end with something that ends no mark. */
export function repeated(part: string, size: number): string {
  return `${part.repeat(Math.ceil(size / part.length))}x`;
}

/** Fails when `work` takes more than linear time for a text that repeats `part`. */
export function assertLinear(name: string, part: string, work: (text: string) => void): void {
  const probe = repeated(part, PROBE);
  const noticed = timeOf(() => work(probe));
  if (noticed < NOTICED_MS) return;
  const size = noticed > SLOW_MS ? PROBE : LARGE;
  assertLinearIn(`${name} of ${JSON.stringify(part)}`, size, (length) => {
    const text = repeated(part, length);
    return () => work(text);
  });
}

/** Fails when the work that `prepare` returns for `size` takes more than linear time, next to a quarter of it. */
export function assertLinearIn(
  name: string,
  size: number,
  prepare: (size: number) => () => void,
): void {
  const [small, large] = [prepare(size / 4), prepare(size)];
  let best = Infinity;
  // A busy machine makes a round slow, and never fast.
  for (let round = 0; round < ROUNDS && best > MAX_RATIO; round += 1) {
    const [first, second] = [timeOf(small), timeOf(large)];
    if (second < FAST_MS) return;
    best = Math.min(best, second / Math.max(first, 0.05));
  }
  assert.ok(
    best <= MAX_RATIO,
    `${name} takes ${best.toFixed(1)} times as long for 4 times the size`,
  );
}

function timeOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
