/** The metrics of all workers as one text: each sample names its worker. */
import type { Workers } from "#kernel/internal";

const NAME = "metrics.read";
const SAMPLE = /^([A-Za-z_:][\w:]*)(\{)?/;

/** The text of the metrics, and its media type. */
export interface MetricsText {
  type: string;
  body: string;
}

/** Reads the metrics of this worker and of the others; without workers, those of this process. */
export function readerOf(
  workers: Workers,
  read: () => Promise<MetricsText>,
): () => Promise<MetricsText> {
  if (workers.id === 0) return read;
  workers.handle(NAME, async () => (await read()).body);
  return async () => {
    const [own, others] = await Promise.all([read(), workers.askOthers(NAME)]);
    const all = [{ worker: workers.id, value: own.body }, ...others];
    const texts = all.map(({ worker, value }) => ({ worker, body: String(value) }));
    return { type: own.type, body: merge(texts.toSorted((a, b) => a.worker - b.worker)) };
  };
}

/** All samples of a metric follow its help and type, as the text format demands. */
function merge(texts: readonly { worker: number; body: string }[]): string {
  const metrics = new Map<string, { comments: Set<string>; samples: string[] }>();
  for (const { worker, body } of texts) {
    let current = { comments: new Set<string>(), samples: [] as string[] };
    for (const line of body.split("\n").filter((one) => one !== "")) {
      const [, name] = /^# (?:HELP|TYPE) (\S+)/.exec(line) ?? [];
      if (name === undefined) {
        current.samples.push(labelled(line, worker));
        continue;
      }
      current = metrics.get(name) ?? { comments: new Set(), samples: [] };
      metrics.set(name, current);
      current.comments.add(line);
    }
  }
  const blocks = [...metrics.values()].map(({ comments, samples }) => [...comments, ...samples]);
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function labelled(sample: string, worker: number): string {
  return sample.replace(SAMPLE, (_match, name: string, brace: string | undefined) =>
    brace === undefined ? `${name}{worker="${worker}"}` : `${name}{worker="${worker}",`,
  );
}
