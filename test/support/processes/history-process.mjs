// A site that saves, moves and deletes pages until it is killed: node history-process.mjs <root> <round>
// It prints a line for each acknowledged save: the page and its text. On the compiled package, which starts
// in a fifth of the time.
import { createTestSite } from "sitewright/testing";

const [root = "", round = "0"] = process.argv.slice(2);
const site = await createTestSite({
  root,
  selection: ["content", "history"],
  config: { admin: { git_commit: true } },
});
const content = site.site.use("content");
const actor = { id: "1", name: "Ada", email: "ada@example.org" };
const say = (line) => void process.stdout.write(`${line}\n`);
for (let n = 0; n < 1_000; n += 1) {
  const text = `r${round}-${n}`;
  const path = `0${1 + (n % 3)}.page/default.md`;
  await content.apply([{ op: "write", path, content: `---\ntitle: ${text}\n---\n${text}\n` }], {
    actor,
    message: `save ${text}`,
  });
  say(`save ${path} ${text}`);
  if (n % 7 !== 3) continue;
  const moved = `moved-${text}/default.md`;
  await content.apply([{ op: "write", path: moved.replace("moved", "fresh"), content: text }], {
    actor,
    message: `save fresh-${text}`,
  });
  await content.apply([{ op: "move", path: `fresh-${text}`, to: `moved-${text}` }], {
    actor,
    message: `move ${text}`,
  });
  say(`move ${moved} ${text}`);
}
