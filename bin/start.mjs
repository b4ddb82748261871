/**
 * `npm start`: sets up what is missing, then hands over to the supervisor in this same process. Runs
 * on a clone with nothing installed, so it knows only Node; settings, processes and signals are the
 * supervisor's. An older build is asked first whether the product runs already: installing or building
 * under it would take its files away.
 */
import { buildIsFresh, currentStamp } from "./set-up/build-stamp.mjs";
import { whyPortIsTaken } from "./set-up/early-port-check.mjs";
import { listenForInterruption } from "./set-up/interruption.mjs";
import { setUpToStart, whyNodeIsTooOld } from "./set-up/set-up.mjs";
import { loadSupervisor, startRequest } from "./set-up/supervisor-bundle.mjs";

const NOT_RUNNING = 3;

// A terminal or a reader that is gone must not end what runs.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

process.exitCode = await start(process.argv.slice(2));

async function start(words) {
  const tooOld = whyNodeIsTooOld();
  if (tooOld !== null) return refuse(tooOld);
  const stamp = currentStamp();
  const answered = await answerWithoutSetUp(words, stamp);
  if (answered !== null) return answered;
  const interruption = listenForInterruption();
  try {
    await setUpToStart(interruption.signal, stamp);
  } catch (error) {
    return refuse(error.message);
  } finally {
    interruption.dispose();
  }
  if (interruption.signal.aborted) return interruption.exitCode();
  const supervisor = await loadSupervisor();
  return supervisor.supervise(startRequest(words));
}

/** An exit code when nothing has to be set up for the answer, otherwise null. */
async function answerWithoutSetUp(words, stamp) {
  const supervisor = await loadSupervisor();
  if (supervisor !== null && (buildIsFresh(stamp) || isQuestion(words))) {
    const answer = await supervisor.preflight(startRequest(words));
    return answer.done ? answer.exitCode : null;
  }
  if (supervisor === null && isQuestion(words)) {
    process.stdout.write("Not running\n");
    return NOT_RUNNING;
  }
  const running = supervisor?.runningUrl(startRequest(words)) ?? null;
  if (running !== null) {
    process.stdout.write(`Already running on ${running}\n`);
    return 0;
  }
  const taken = await whyPortIsTaken(words, process.env);
  return taken === null ? null : refuse(taken);
}

function isQuestion(words) {
  return ["--status", "--stop", "--restart-web"].some((word) => words.includes(word));
}

function refuse(line) {
  process.stderr.write(`${line}\n`);
  return 1;
}
