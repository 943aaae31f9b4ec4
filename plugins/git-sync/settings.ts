import { z } from "zod";
import { remoteIssue } from "./remote.js";

const remote = z.string().superRefine((value, context) => {
  const message = remoteIssue(value);
  if (message !== null) context.addIssue({ code: "custom", message });
});
// git-check-ref-format(1), without the names that only its escapes allow.
const branch = z
  .string()
  .max(200)
  .regex(/^(?!.*(?:\.\.|\/\/|\/\.|\.lock(?:\/|$)))[\p{L}\p{N}_][\p{L}\p{N}_./+-]*(?<![./])$/u, {
    error: "the name of a branch",
  });

const git_sync = z
  .strictObject({
    remote: remote
      .nullable()
      .meta({ secret: true, outbound: true })
      .describe("Address of the git repository with the pages; null: off")
      .default(null),
    branch: branch.describe("Branch that the pages come from").default("main"),
    interval_seconds: z
      .int()
      .min(0)
      .max(86_400)
      .describe("Seconds between two fetches of the remote; 0: only when it calls the webhook")
      .default(60),
    push: z.boolean().describe("Sends what is saved here to the remote").default(true),
    author: z
      .string()
      .regex(/^[^<>\p{Cc}]+ <[^<>\s\p{Cc}]+>$/u, { error: "`Name <address>`" })
      .describe("Committer of all commits, and author of those without a known author")
      .default("Site <site@localhost>"),
  })
  .describe("Pages from a git repository, and back to it")
  .meta({ privileged: true })
  .prefault({});

export const settings = { system: z.object({ git_sync }) };
