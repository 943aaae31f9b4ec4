import { signal } from "@preact/signals";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "../parts/dialog.js";
import { Failure } from "../parts/loading.js";
import { t } from "./texts.js";
import { ApiError, hooks } from "../api/request.js";
import { session, signIn } from "../api/session.js";

// Calls that wait for the same dialog.
const waiting = signal<readonly ((isIn: boolean) => void)[]>([]);

/** Asks to sign in when a call finds the session expired. */
export function watchSession(): void {
  hooks.signIn = () =>
    new Promise((resolve) => {
      waiting.value = [...waiting.value, resolve];
    });
}

/** The dialog over the page; the screen below keeps its state. */
export function SignInAgain(): VNode | null {
  if (waiting.value.length === 0) return null;
  return (
    <Dialog title={t("signIn.title")} onClose={() => finish(false)}>
      <SignInForm />
    </Dialog>
  );
}

function SignInForm(): VNode {
  const [error, setError] = useState<unknown>(null);
  // True when the password was right and the account has an authenticator app.
  const [needsCode, setNeedsCode] = useState(false);
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const before = session.value?.user.id;
    const values = new FormData(form);
    try {
      const { user } = await signIn({
        username: String(values.get("username")),
        password: String(values.get("password")),
        ...(needsCode && { code: String(values.get("code")).trim() }),
      });
      if (user.id !== before) throw new Error(t("signIn.other", { name: user.name }));
      finish(true);
    } catch (failure) {
      const asksCode = failure instanceof ApiError && failure.body["totp"] === true;
      setError(asksCode && !needsCode ? null : failure);
      setNeedsCode(asksCode || needsCode);
    }
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      <p>{t("signIn.why")}</p>
      {error !== null && <Failure error={error} />}
      <label>
        {t("signIn.name")}
        <input name="username" autocomplete="username" required />
      </label>
      <label>
        {t("signIn.password")}
        <input name="password" type="password" autocomplete="current-password" required />
      </label>
      {needsCode && (
        <label>
          {t("signIn.code")}
          <input name="code" autocomplete="one-time-code" required autoFocus />
        </label>
      )}
      <div class="actions">
        <button type="submit" class="primary">
          {t("signIn.submit")}
        </button>
      </div>
    </form>
  );
}

function finish(isIn: boolean): void {
  const calls = waiting.value;
  waiting.value = [];
  if (isIn) hooks.signIns += 1;
  for (const resolve of calls) resolve(isIn);
}
