// A node that adds a job to the queue `work`, starts it and never ends it: `node shared-jobs-node.js URL`. Prints
// its id once it runs.
import { startSharedNode } from "../servers/shared-jobs.js";

const jobs = await startSharedNode(process.argv[2] ?? "", {
  delaysMs: [1],
  run: ({ id }) => {
    process.stdout.write(`${id}\n`);
    return new Promise(() => setInterval(() => undefined, 1_000));
  },
});
await jobs.add("work", "held", { key: "k" });
