// The visitors, in a separate process: requests at fixed times, interleaved between the servers.
import { Agent, get } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

const agent = new Agent({ keepAlive: true });

/** Milliseconds until the last byte of a response. */
const timeOf = (url) =>
  new Promise((resolve, reject) => {
    const from = performance.now();
    const request = get(url, { agent }, (answer) => {
      answer.resume().on("end", () => resolve(performance.now() - from));
    });
    // The server may close a keep-alive connection just when it is reused.
    request.on("error", (error) => (request.reusedSocket ? resolve(timeOf(url)) : reject(error)));
  });

/** Sends a request to each server at a fixed interval, without waiting for earlier responses. */
async function visit({ origins, paths, everyMs, forMs }) {
  const asked = origins.map(() => []);
  const from = performance.now();
  const betweenMs = everyMs / origins.length;
  for (let at = 0; at * betweenMs < forMs; at += 1) {
    await delay(Math.max(0, from + at * betweenMs - performance.now()));
    const path = paths[Math.floor(at / origins.length) % paths.length];
    asked[at % origins.length].push(timeOf(origins[at % origins.length] + path));
  }
  return Promise.all(asked.map((times) => Promise.all(times)));
}

process.on("message", (task) => void visit(task).then((times) => process.send(times)));
process.on("disconnect", () => process.exit(0));
