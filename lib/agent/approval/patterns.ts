/**
 * What asks, and what is refused: one row per kind of danger. The key is what a person allows for a
 * session or for good (`command_allowlist` in the profile's config.yaml), so keys are words that a
 * person understands, and they never change their meaning.
 *
 * `floor` rows are refused in every mode. Rows without `remembered` are findings about how a command
 * is written rather than what it does: they can be allowed for the session, never for good.
 */
import type { Risk } from "#protocol/event-values";

export type PatternCategory =
  | "floor" | "delete" | "permissions" | "disk" | "database" | "process" | "code" | "write" | "git" | "container" | "privilege" | "unreadable";

export interface Pattern {
  readonly category: PatternCategory;
  readonly level: Risk["level"];
  /** What will happen, at most 12 words: the headline of the card. */
  readonly summary: string;
  /** Why it asks or is refused: one sentence of at most 12 words. */
  readonly reason: string;
  readonly remembered: boolean;
}

function asks(category: Exclude<PatternCategory, "floor">, level: Risk["level"], summary: string, reason: string): Pattern {
  return { category, level, summary, reason, remembered: category !== "unreadable" };
}

function refused(summary: string, reason: string): Pattern {
  return { category: "floor", level: "critical", summary, reason, remembered: false };
}

export const PATTERNS = {
  "delete of everything": refused("Delete a disk, a system folder or a home folder", "It would delete the disk, a system folder or a home folder."),
  "file system format": refused("Make a new file system on a disk", "It would erase a file system."),
  "raw disk write": refused("Write over a raw disk", "It would write over a disk below its files."),
  "fork bomb": refused("Start copies of itself without end", "It would start copies of itself until the machine stops."),
  "machine shutdown": refused("Shut down or restart this machine", "It would turn off or restart this machine."),
  "kill of every process": refused("End every process of this user", "It would end every process of this user."),

  "recursive delete": asks("delete", "high", "Delete a folder with everything in it", "It deletes folders with everything in them; nothing can bring them back."),
  "delete outside the workspace": asks("delete", "high", "Delete files outside the workspace", "It deletes files outside the workspace."),
  "delete by find": asks("delete", "high", "Delete every file that a search finds", "It deletes whatever the search finds."),
  "delete by xargs": asks("delete", "high", "Delete every file on a list made while running", "It deletes files whose names are known only at run time."),
  "file overwrite": asks("delete", "high", "Overwrite files so that they cannot be recovered", "It destroys the contents of files for good."),
  "mirror delete": asks("delete", "medium", "Make a folder a mirror, deleting what differs", "It deletes files that the source does not have."),

  "open permissions": asks("permissions", "medium", "Let everyone on this machine change files", "It lets every user of this machine change these files."),
  "recursive change of owner": asks("permissions", "high", "Change who owns a whole folder", "It changes the owner of everything below a folder."),
  "permissions of a system folder": asks("permissions", "critical", "Change permissions of a system or home folder", "It changes permissions all over a system or home folder."),
  "set-user-id permission": asks("permissions", "high", "Let a program run with its owner's rights", "It lets a program run with the rights of its owner."),

  "raw copy with dd": asks("disk", "high", "Copy raw data with dd", "It writes raw data; a wrong target is lost at once."),

  "database drop": asks("database", "critical", "Drop a table or database", "It removes tables or a database with all their data."),
  "delete of all rows": asks("database", "high", "Delete all rows of a table", "It deletes rows without a condition."),

  "service stop or restart": asks("process", "medium", "Stop, restart or switch off a service", "It stops or restarts a service that others may use."),
  "forced kill by name": asks("process", "medium", "Kill every process with a name", "It kills all processes that match a name, without warning them."),
  "kill of searched processes": asks("process", "medium", "End whatever processes a search finds", "It ends processes that are known only at run time."),
  "stop of hermes": asks("process", "high", "Stop, restart or update Hermes itself", "It would end or replace the agent that is running it."),
  "detached gateway": asks("process", "medium", "Start the Hermes gateway in the background", "It starts a gateway that goes on after this run."),
  "scheduled command": asks("process", "medium", "Plan a command to run later", "It runs later, when nobody may be looking."),

  "remote code": asks("code", "critical", "Run code straight from the network", "It runs code from the network that nobody has read."),
  "decoded code": asks("code", "critical", "Run code that is hidden by an encoding", "It decodes text and runs it as a command."),
  "unknown code": asks("code", "high", "Run text as a command that is not known yet", "It runs text that is known only at run time."),
  "command named at run time": asks("code", "high", "Run a program whose name is not known yet", "The program's name is known only at run time."),
  "inline code": asks("code", "medium", "Run a piece of code given on the command line", "It runs code that these checks do not read."),
  "run of a new program": asks("code", "high", "Run a file that was only just made or fetched", "It makes or fetches a file and runs it at once."),
  "command hidden in an option": asks("code", "high", "Run a command that hides in an option", "An option of this program runs another command."),
  "code loaded by a variable": asks("code", "high", "Load code that a variable names", "A variable makes the program load and run other code."),
  "network shell": asks("code", "critical", "Connect a shell or a file to the network", "It ties a shell or a file to a network address."),

  "system file write": asks("write", "high", "Change a system file", "It changes files that the whole machine relies on."),
  "ssh file write": asks("write", "critical", "Change SSH keys or settings", "It changes who can log in, or as whom you do."),
  "start-up file write": asks("write", "high", "Change a file that runs at each start", "It changes what runs when you log in or open a shell."),
  "credential file write": asks("write", "high", "Change a file with passwords or tokens", "It changes a file that holds passwords or tokens."),
  "environment file write": asks("write", "medium", "Change a file with secrets and settings", "It changes a file that can hold secrets."),
  "config file write": asks("write", "medium", "Change a settings file", "It changes settings that programs here rely on."),
  "git hook write": asks("write", "high", "Change what Git runs on its own", "It changes commands that Git runs by itself."),

  "git reset --hard": asks("git", "medium", "Throw away changes that are not committed", "It throws away changes that are not committed."),
  "git force push": asks("git", "high", "Overwrite or delete a branch on the server", "It can overwrite the work of others on the server."),
  "git clean": asks("git", "medium", "Delete files that Git does not track", "It deletes files that Git cannot bring back."),
  "git branch delete": asks("git", "medium", "Delete a branch, merged or not", "It deletes a branch even when it is not merged."),

  "container stop": asks("container", "medium", "Stop, restart or remove containers", "It stops containers that others may use."),
  "container clean-up": asks("container", "high", "Delete containers, images or volumes with their data", "It deletes containers, images or volumes with their data."),
  "remote container host": asks("container", "high", "Control containers on another machine", "It works on the containers of another machine."),
  "container with host access": asks("container", "high", "Start a container that can reach this whole machine", "The container can reach the whole machine."),

  "elevated shell": asks("privilege", "high", "Open a shell with administrator rights", "It takes administrator rights beyond this one command."),
  "sudo with a piped password": asks("privilege", "high", "Give an administrator password to sudo", "It hands a password to sudo without you."),

  "unreadable command": asks("unreadable", "medium", "Run a command that could not be read safely", "It could not be read, so nobody can say what it does."),
  "hidden characters": asks("unreadable", "high", "Run a command with characters that cannot be seen", "It holds characters that cannot be seen."),
} as const satisfies Readonly<Record<string, Pattern>>;

export type PatternKey = keyof typeof PATTERNS;

export const PATTERN_KEYS = Object.keys(PATTERNS).filter((key): key is PatternKey => key in PATTERNS);
