/** Background jobs as they are stored, and how an attempt fails. Runs in Node.js. */
export {
  JOB_ID,
  JobError,
  jobSchema,
  parseJob,
  type JobRecord,
  type JobState,
} from "./job-record.js";
