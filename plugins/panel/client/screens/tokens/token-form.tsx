import type { VNode } from "preact";
import { createToken, type ApiToken } from "../../api/accounts/tokens.js";
import { Dialog } from "../../parts/dialog.js";
import { FormDialog } from "../../parts/form-dialog.js";
import { PermissionChoices } from "../../parts/permission-choices.js";
import { SecretText } from "../../parts/secret-text.js";
import { t } from "./tokens-texts.js";

/** A token with its text. */
export type NewToken = ApiToken & { token: string };

/** Asks for name, permissions and end of a token. */
export function TokenForm(props: { onClose(): void; onCreated(token: NewToken): void }): VNode {
  const submit = async (form: FormData): Promise<void> => {
    const permissions = form.getAll("permission").map(String);
    if (permissions.length === 0) throw new Error(t("permissions.none"));
    const expires = String(form.get("expires"));
    const name = String(form.get("name")).trim();
    const limits = { paths: linesOf(form, "paths"), fields: linesOf(form, "fields") };
    props.onCreated(
      await createToken({
        name,
        permissions,
        expires: expires === "" ? null : expires,
        ...limits,
      }),
    );
  };
  return (
    <FormDialog
      title={t("create")}
      action={t("create.action")}
      onClose={props.onClose}
      onSubmit={submit}
    >
      <label>
        {t("name")}
        <input name="name" required maxLength={100} autocomplete="off" />
        <span class="help">{t("name.help")}</span>
      </label>
      <fieldset class="field">
        <legend>{t("permissions")}</legend>
        <p class="help">{t("permissions.help")}</p>
        <PermissionChoices chosen={[]} />
      </fieldset>
      <label>
        {t("expires")}
        <input type="date" name="expires" min={tomorrow()} />
        <span class="help">{t("expires.help")}</span>
      </label>
      {(["paths", "fields"] as const).map((name) => (
        <label key={name}>
          {t(name)}
          <textarea name={name} rows={2} spellcheck={false} autocomplete="off" />
          <span class="help">{t(`${name}.help`)}</span>
        </label>
      ))}
    </FormDialog>
  );
}

/** The text of a new token. */
export function TokenSecret({ token, onClose }: { token: NewToken; onClose(): void }): VNode {
  const title = t("secret", { name: token.name });
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{t("secret.why")}</p>
      <SecretText label={title} text={token.token} />
    </Dialog>
  );
}

/** One entry per line; null without any. */
function linesOf(form: FormData, name: string): string[] | null {
  const lines = String(form.get(name)).split("\n");
  const entries = lines.map((line) => line.trim()).filter((line) => line !== "");
  return entries.length === 0 ? null : entries;
}

function tomorrow(): string {
  return new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
}
