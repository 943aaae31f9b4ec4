import { HttpError, SiteError, type SiteContext } from "#kernel";
import { configValues, type ConfigFile } from "#kernel/internal";

type CallingSite = Pick<SiteContext, "configFiles" | "use" | "settings">;

/**
 * Webhook URLs set through the API must not reach internal hosts: their author may not be the
 * server's operator. `value`: the new file, or changes of its keys.
 * @throws HttpError 400 for a URL that is not in the file yet and may not be called.
 */
export async function assertCallable(
  site: CallingSite,
  file: ConfigFile,
  value: unknown,
): Promise<void> {
  const outbound = site.use("outbound", { optional: true });
  if (outbound === undefined) return;
  const { text } = await site.configFiles.read(file);
  const running = site.settings.admin.webhooks?.map(({ url }) => url) ?? [];
  // As written: `$NAME` cannot be called.
  const standing = new Set([...running, ...standingUrls(text)]);
  for (const url of webhookUrls(value)) {
    const refused = standing.has(url) ? null : await outbound.refusal(url, "strict");
    if (refused !== null) throw new HttpError(400, `webhooks: ${refused}`);
  }
}

function standingUrls(text: string): string[] {
  try {
    return webhookUrls(configValues(text));
  } catch (error) {
    // A malformed file names no URLs; this request may be the one that fixes it.
    if (error instanceof SiteError) return [];
    throw error;
  }
}

/** Every `url` below a key `webhooks`, at any depth, including dotted keys. */
function webhookUrls(value: unknown, isBelow = false): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => webhookUrls(item, isBelow));
  if (typeof value !== "object" || value === null) return [];
  const entries = Object.entries(value);
  const isChange = "key" in value && /(^|\.)webhooks(\.|$)/.test(String(value.key));
  return entries.flatMap(([name, item]) => {
    const below = isBelow || isChange || name === "webhooks";
    if (below && (name === "url" || name === "value") && typeof item === "string") return [item];
    return webhookUrls(item, below);
  });
}
