import { parentPort, workerData, type MessagePort } from "node:worker_threads";
import { bootWithoutPort } from "#kernel";
import { type FromWorker, type WorkerInput, type ToWorker, exportAll } from "./workers.js";
import { FailureLog, PageExporter } from "./page-exporter.js";

/** Boots the site once and exports the jobs it receives, until it is closed. */
async function serve(port: MessagePort, data: WorkerInput): Promise<void> {
  const failures = new FailureLog();
  const opening = bootWithoutPort(data.recipe, failures);
  // Boot errors are reported to the sender of the first jobs.
  opening.catch(() => undefined);
  const exporter = opening.then((site) => {
    const client = site.use("static");
    if (data.showsDrafts) client.showDrafts();
    const { siteAddress, stage, name, searchHeads } = data;
    return new PageExporter({ client, siteAddress, stage, name, failures, searchHeads });
  });
  exporter.catch(() => undefined);
  const turns = { last: Promise.resolve() };
  const send = (message: FromWorker): void => port.postMessage(message);
  port.on("message", (message: ToWorker) => {
    if (message === "close") {
      void opening
        .then((site) => site.close())
        .catch(() => undefined)
        .then(() => send("closed"));
      return;
    }
    // Sequential, because the sender matches responses by their order.
    turns.last = turns.last
      .then(async () => exportAll(await exporter, message.jobs))
      .then(
        (outcomes) => send({ outcomes }),
        (error: unknown) => send({ failed: String(error), code: errorCode(error) }),
      );
  });
  await exporter;
}

function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}

if (parentPort !== null) {
  serve(parentPort, workerData as WorkerInput).catch(() => undefined);
}
