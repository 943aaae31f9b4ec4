import type { OutgoingMail } from "../../../plugins/email/contract.js";
import type { Submission } from "../../../plugins/forms/contract.js";
import { adminPlugins, bootAdmin, type AdminSite } from "../../support/sites/admin-site.js";
import type { BootOptions } from "../../support/sites/boot-site.js";

export const contact = `title: Contact
thanks: /thanks
mail: { to: office@example.org, subject: "Message from {{name}}", reply_to: email }
webhook: true
fields:
  name: { type: text, label: Name, required: true, validate: { max: 40 } }
  email: { type: email, label: E-mail, required: true, help: For the answer }
  topic: { type: select, label: Topic, options: { help: Help, sale: Sale } }
  order: { type: text, label: Order, required: true, when: { topic: sale } }
  ways: { type: checkboxes, label: Ways, options: [mail, phone] }
  message: { type: textarea, label: Message }
  consent: { type: toggle, label: I agree, required: true }
`;
const german = `title: Kontakt
fields:
  name: { label: Ihr Name }
`;

export interface FormSite extends AdminSite {
  mails: OutgoingMail[];
  /** Payloads of onFormSubmit. */
  submitted: Submission[];
  /** Moves the clock of the site. */
  wait(seconds: number): void;
  /** The token in the HTML of a page. */
  token(path?: string): Promise<string>;
  post(body: Record<string, string | string[]>, init?: PostOptions): Promise<Response>;
}
interface PostOptions {
  form?: string;
  headers?: Record<string, string>;
}

/** A site with forms, a mailbox and a clock that only tests move. */
export async function bootForms({ files, ...options }: BootOptions = {}): Promise<FormSite> {
  const mails: OutgoingMail[] = [];
  const submitted: Submission[] = [];
  let now = Date.parse("2026-11-25T10:00:00Z");
  const site = await bootAdmin({
    plugins: [...adminPlugins, "render", "forms", "email", "outbound"],
    clock: { now: () => now },
    ...options,
    settings: {
      ...options.settings,
      site: { url: "http://site.example", ...options.settings?.site },
      system: {
        languages: { supported: ["en", "de"], default: "en" },
        server: { rate_limit: false },
        ...options.settings?.system,
      },
    },
    extraPlugins: [
      {
        name: "mailbox",
        version: "1.0.0",
        hooks: {
          onFormSubmit: ({ data }) => void submitted.push(data),
          onMailerCreate: ({ data }) => {
            data.register("mailbox", { send: async (mail) => void mails.push(mail) });
            data.activate("mailbox");
          },
        },
      },
      ...(options.extraPlugins ?? []),
    ],
    files: {
      "forms/contact.yaml": contact,
      "forms/contact.de.yaml": german,
      "content/03.contact/default.md":
        "---\ntitle: Write to us\n---\nBefore.\n\n{{ form contact }}\n",
      "content/03.contact/default.de.md": "---\ntitle: Kontakt\n---\n{{ form contact }}\n",
      "content/04.thanks/default.md": "---\ntitle: Thanks\n---\nGot it.\n",
      "content/04.thanks/default.de.md": "---\ntitle: Danke\n---\nIst da.\n",
      ...files,
    },
  });
  return {
    ...site,
    mails,
    submitted,
    wait: (seconds) => void (now += seconds * 1_000),
    token: async (path = "/contact") => {
      const html = await (await site.fetch(path)).text();
      return /name="_token" value="([^"]+)"/.exec(html)?.[1] ?? "";
    },
    post: (body, { form = "contact", headers = {} } = {}) => {
      const sent = new URLSearchParams();
      for (const [name, value] of Object.entries(body)) {
        for (const one of [value].flat()) sent.append(name, one);
      }
      return site.fetch(`/forms/${form}`, { method: "POST", body: sent, headers });
    },
  };
}

/** What a person types. */
export const typed = {
  name: "Ada",
  email: "ada@example.org",
  topic: "help",
  ways: ["mail", "phone"],
  message: "Hello\r\nthere",
  consent: "true",
};
