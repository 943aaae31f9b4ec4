import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A mail server for tests on 127.0.0.1, with its received mails. */
export interface MailServer {
  readonly port: number;
  /** Envelope recipients of each mail, independent of its headers. */
  readonly received: {
    mail: Email;
    raw: string;
    recipients: string[];
    isSecure: boolean;
    user: string | undefined;
  }[];
  close(): Promise<void>;
}

/** Starts a mail server; by default it accepts everything and offers STARTTLS. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: MailServer["received"] = [];
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const raw = Buffer.concat(chunks);
        void PostalMime.parse(raw).then((mail) => {
          const recipients = session.envelope.rcptTo.map(({ address }) => address);
          const { secure: isSecure, user } = session;
          received.push({ mail, raw: raw.toString("utf8"), recipients, isSecure, user });
          callback();
        }, callback);
      });
    },
    ...options,
  });
  // A client that disconnects is not a failure of the server.
  server.on("error", () => undefined);
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const { port }: Pick<AddressInfo, "port"> = Object(listening.address());
  return {
    port,
    received,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** A self-signed certificate for 127.0.0.1 and localhost. */
export function selfSigned(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), "site-cert-"));
  try {
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const names = "subjectAltName=IP:127.0.0.1,DNS:localhost";
    const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    const out = ["-keyout", key, "-out", cert, "-days", "2"];
    execFileSync("openssl", ["req", ...kind, ...out, "-subj", "/CN=localhost", "-addext", names], {
      stdio: "ignore",
    });
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
