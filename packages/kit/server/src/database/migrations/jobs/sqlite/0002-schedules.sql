CREATE TABLE kit_schedules (
  -- Of the job.
  name     TEXT NOT NULL,
  -- When it ticks: its cron and time zone. During a rolling change a job may have two.
  schedule TEXT NOT NULL,
  -- The last tick that became a job, in epoch milliseconds, as all times here.
  tick_at  INTEGER,
  next_at  INTEGER NOT NULL,
  -- When an instance last said that it has the schedule.
  seen_at  INTEGER NOT NULL,
  -- The job of the last tick.
  job_id   TEXT,
  PRIMARY KEY (name, schedule)
);
