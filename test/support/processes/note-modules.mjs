// `node --import` this file: appends the URL of each module that is loaded to the file `NOTED_MODULES`.
import { appendFileSync } from "node:fs";
import { register } from "node:module";
import { isMainThread } from "node:worker_threads";

if (isMainThread) register(import.meta.url);

export async function load(url, context, next) {
  appendFileSync(process.env.NOTED_MODULES, `${url}\n`);
  return next(url, context);
}
