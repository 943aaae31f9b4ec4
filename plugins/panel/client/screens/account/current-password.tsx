import type { VNode } from "preact";
import { t } from "./account-texts.js";

/** The password that confirms a change of the own account. */
export function CurrentPassword(): VNode {
  return (
    <label>
      {t("current")}
      <input type="password" name="current" required autocomplete="current-password" />
    </label>
  );
}
