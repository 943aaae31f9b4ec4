import { httpUrl } from "#kernel";
import { z } from "zod";

const smtp = z.strictObject({
  host: z
    .string()
    .regex(/^[A-Za-z0-9._:[\]-]+$/, { error: "a host name" })
    .describe("Host of the mail server")
    .meta({ outbound: true }),
  port: z.int().min(1).max(65_535).describe("Port of the mail server").default(587),
  secure: z.boolean().describe("TLS from the start (port 465); false: STARTTLS").default(false),
  user: z.string().describe("User name for the mail server").optional(),
  pass: z.string().meta({ secret: true }).describe("Password for the mail server").optional(),
});

const hosted = z.strictObject({
  apiKey: z.string().min(1).meta({ secret: true }).describe("API key"),
  baseUrl: httpUrl()
    .describe("URL of the API, if not the provider's default")
    .meta({ outbound: true })
    .optional(),
});

const email = z
  .strictObject({
    provider: z
      .enum(["console", "smtp", "resend", "postmark", "sendgrid"])
      .describe("How mail is sent; `console` writes it to the log")
      .default("console"),
    from: z
      .string()
      .regex(/^[^\p{Cc}]*$/u, { error: "one line" })
      .describe("Sender: an address, or `Name <address>`")
      .default(""),
    smtp: smtp.describe("The mail server for provider `smtp`").optional(),
    resend: hosted.describe("For provider `resend`").optional(),
    postmark: hosted.describe("For provider `postmark`").optional(),
    sendgrid: hosted.describe("For provider `sendgrid`").optional(),
  })
  .superRefine((value, context) => {
    if (value.provider === "console") return;
    if (value[value.provider] === undefined) {
      const fix = `add email.${value.provider}`;
      context.addIssue({
        code: "custom",
        path: [value.provider],
        message: "the block of the provider",
        params: { fix },
      });
    }
    if (!value.from.includes("@")) {
      const fix = "add `from: Site <site@example.org>`";
      context.addIssue({
        code: "custom",
        path: ["from"],
        message: "the sender's address",
        params: { fix },
      });
    }
  });

export const settings = {
  site: z.object({
    email: email
      .describe("Sending mail; without it mail goes to the log")
      .meta({ privileged: true })
      .optional(),
  }),
};
