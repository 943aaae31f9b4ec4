// The floor: `node:http` sending given bytes with given headers.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const answers = new Map(
  JSON.parse(readFileSync(process.argv[2], "utf8")).map(({ path, headers, body }) => [
    path,
    { headers, body: Buffer.from(body, "base64") },
  ]),
);
const server = createServer((req, res) => {
  const { headers, body } = answers.get(req.url) ?? { headers: {}, body: Buffer.from("") };
  res.writeHead(200, headers);
  res.end(body);
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`listening ${server.address().port}\n`));
process.on("SIGTERM", () => process.exit(0));
