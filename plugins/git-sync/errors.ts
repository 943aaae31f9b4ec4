/** Error codes of the synchronisation with git: what each means, and the fix. */
export const gitSyncErrors = {
  ERR_GIT_SYNC_FOLDER:
    "The content folder has files and is not a clone of `git_sync.remote`: empty it, clone the remote into it, or correct the setting.",
  ERR_GIT_SYNC_BRANCH:
    "The repository of the content is on another branch than `git_sync.branch`: check that branch out, or correct the setting.",
  ERR_GIT_SYNC_CLONE:
    "The content folder is empty and the remote could not be cloned: check the address, the access rights and the branch.",
  ERR_GIT_SYNC_FETCH: "The remote did not send its branch: see `git_sync` in health.",
  ERR_GIT_SYNC_UNKNOWN: "There is no such conflict: it may be resolved already; list them again.",
  ERR_GIT_SYNC_RESOLVE: "The text that resolves a conflict could not be saved: correct it.",
} as const;
