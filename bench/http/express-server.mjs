// A typical Express server: helmet, cors, a rate limiter and sessions; sends the same bytes.
import { readFileSync } from "node:fs";
import cors from "cors";
import express from "express";
import { rateLimit } from "express-rate-limit";
import session from "express-session";
import helmet from "helmet";

const answers = JSON.parse(readFileSync(process.argv[2], "utf8"));
const app = express();
app.use(helmet(), cors({ origin: "http://localhost:8000" }));
app.use(rateLimit({ windowMs: 60_000, limit: 100_000_000 }));
app.use(session({ secret: "a secret of the bench", resave: false, saveUninitialized: false }));
for (const { path, headers, body } of answers) {
  const bytes = Buffer.from(body, "base64");
  app.get(path.split("?")[0], (_req, res) => res.type(headers["content-type"]).send(bytes));
}
const server = app.listen(0, "127.0.0.1", () =>
  process.stdout.write(`listening ${server.address().port}\n`),
);
process.on("SIGTERM", () => process.exit(0));
