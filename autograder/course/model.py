"""Defines the schema of course.yml as pydantic models. This is the only place that says what a field may hold."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator

from streamlab.views.system_map import PARTS

Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
LockName = Annotated[str, StringConstraints(pattern=r"^requirements-[a-z0-9_]+\.lock$")]
TaskName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]*$")]  # a function's or a class's
Points = Annotated[float, Field(gt=0, le=1000, multiple_of=0.25)]  # reports show two decimals


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class Limits(_Strict):
    """The resource limits of one sandboxed submission."""

    wall_s: float = Field(gt=0)
    load_s: float = Field(gt=0)
    case_s: float = Field(gt=0)
    memory_mb: int = Field(ge=256)
    output_mb: int = Field(ge=1)
    processes: int = Field(ge=64)


class ThroughputRule(_Strict):
    """A throughput check: full points at `threshold` times the baseline's rate, 0 points below half of the gain."""

    baseline: Name
    threshold: float = Field(gt=1, le=1000)
    points: Points


class Task(_Strict):
    """One function or class that the learner writes, with its checks and their points.

    A `bonus` task is judged and shown, and its points are outside the lab's total. A task that is a `step_of` another
    one is a part that the other one, the whole, is built from: whoever has written the whole without the step, as in
    release 2026.1, earns the points of the step with those of the whole. `part` is the box of the system's map that
    shows the task, if any, and `check_s` how long `check(…)` takes in a notebook if that is over five seconds; both
    change no verdict, so digests of verdicts leave them out.
    """

    checks: dict[Name, Points] = Field(min_length=1)
    throughput: ThroughputRule | None = None
    bonus: bool = False
    step_of: TaskName | None = None
    part: str | None = Field(default=None, exclude=True)
    check_s: int | None = Field(default=None, gt=5, exclude=True)

    @field_validator("part")
    @classmethod
    def _the_part_is_on_the_map(cls, part: str | None) -> str | None:
        known = [each.box for each in PARTS]
        if part is not None and part not in known:
            raise ValueError(f"unknown part of the system; expected one of {', '.join(known)}")
        return part

    @model_validator(mode="after")
    def _a_bonus_has_no_throughput_check(self) -> Self:
        if self.bonus and self.throughput:
            raise ValueError("a bonus task has no throughput check")
        return self

    @property
    def points(self) -> float:
        """Points of all its checks and of its throughput check."""
        return sum(self.checks.values()) + (self.throughput.points if self.throughput else 0)


class Lab(_Strict):
    """One notebook. `points` is the declared total, including written questions, without bonus tasks.

    `minutes` are those of the core: `measured` with people who did not write it, otherwise an estimate. `locks` list
    packages that only some labs need. `wall_s` and `case_s` override the course's limits.
    """

    title: str = Field(min_length=1)
    minutes: int = Field(gt=0)
    measured: bool = False
    points: Points
    builds_on: list[Name] = []
    services: list[Name] = []
    locks: list[LockName] = []
    runs: str = ""
    wall_s: float | None = Field(default=None, gt=0)
    case_s: float | None = Field(default=None, gt=0)
    tasks: dict[TaskName, Task] = Field(min_length=1)
    written: dict[Name, Points] = {}

    @property
    def core(self) -> dict[str, Task]:
        """The tasks that count towards the lab's total: all except bonus tasks."""
        return {name: task for name, task in self.tasks.items() if not task.bonus}

    @property
    def judged_points(self) -> float:
        """Points that the autograder gives towards the total: without written questions and bonus tasks."""
        return sum(task.points for task in self.core.values())

    @property
    def bonus_points(self) -> float:
        """Points of the bonus tasks."""
        return sum(task.points for task in self.tasks.values() if task.bonus)

    @property
    def stated_minutes(self) -> str:
        """The minutes as people read them. Example: "120", or "~120" if nobody measured them."""
        return f"{self.minutes}" if self.measured else f"~{self.minutes}"

    @model_validator(mode="after")
    def _steps_have_a_whole(self) -> Self:
        for name, task in self.tasks.items():
            if task.step_of is None:
                continue
            whole = self.tasks.get(task.step_of)
            if whole is None or task.step_of == name:
                raise ValueError(f"{name} is a step of {task.step_of}, which is no other task of this lab")
            if whole.step_of:
                raise ValueError(f"{name} is a step of {task.step_of}, which is itself a step of {whole.step_of}")
            if whole.bonus != task.bonus:
                raise ValueError(f"{name} is a step of {task.step_of}; both are bonus, or neither is")
            if task.throughput:
                raise ValueError(f"{name} is a step of {task.step_of}, so its throughput check belongs to the whole")
        return self

    @model_validator(mode="after")
    def _points_add_up(self) -> Self:
        total = self.judged_points + sum(self.written.values())
        if abs(total - self.points) > 1e-9:
            raise ValueError(
                f"points is {self.points:g}, but checks, throughput checks and written questions give {total:g}"
                + (" without bonus tasks" if self.bonus_points else "")
            )
        return self


class Course(_Strict):
    """The whole manifest. Points of bonus tasks are for `information`, or count as `extra` credit.

    Without `portfolio`, learners cannot write their solved tasks as a package, which others could hand in.
    """

    course: str = Field(min_length=1)
    release: str = Field(min_length=1)
    bonus: Literal["information", "extra"] = "information"
    portfolio: bool = True
    limits: Limits
    labs: dict[Name, Lab] = Field(min_length=1)

    @field_validator("labs")
    @classmethod
    def _labs_exist_and_task_names_are_unique(cls, labs: dict[str, Lab]) -> dict[str, Lab]:
        seen: dict[str, str] = {}
        earlier: set[str] = set()
        for lab_name, lab in labs.items():
            unknown = [each for each in lab.builds_on if each not in labs]
            if unknown:
                raise ValueError(f"{lab_name} builds on {unknown[0]}, but this course has no such lab")
            later = [each for each in lab.builds_on if each not in earlier]
            if later:
                raise ValueError(f"{lab_name} builds on {later[0]}, which must come before it in this course")
            earlier.add(lab_name)
            if not lab.core:
                raise ValueError(f"{lab_name} has bonus tasks only")
            for task in lab.tasks:
                if task in seen:
                    raise ValueError(f"task {task} is in {seen[task]} and in {lab_name}; task names must be unique")
                seen[task] = lab_name
        return labs

    def limits_of(self, lab: str) -> Limits:
        """Return the limits of a submission of this lab: the course's, with the lab's own on top."""
        own = self.labs[lab].model_dump(include={"wall_s", "case_s"}, exclude_none=True)
        return self.limits.model_copy(update=own)

    def locks_of(self, lab: str) -> list[str]:
        """Return the locks that a lab needs beyond requirements.lock, including those of the labs that it builds on."""
        own = self.labs[lab]
        inherited = [lock for each in own.builds_on for lock in self.locks_of(each)]
        return list(dict.fromkeys([*inherited, *own.locks]))

    def with_earlier(self, lab: str) -> list[str]:
        """Return a lab and the labs that it builds on, directly or indirectly, each once, in the course's order."""
        found = {lab}
        for name in reversed(self.labs):
            if name in found:
                found.update(self.labs[name].builds_on)
        return [name for name in self.labs if name in found]

    def tasks_of_parts(self) -> dict[str, list[str]]:
        """Return the tasks of each part of the system as "LAB/TASK", in the course's order; a part may have none."""
        found: dict[str, list[str]] = {part.box: [] for part in PARTS}
        for lab_name, lab in self.labs.items():
            for name, task in lab.tasks.items():
                if task.part:
                    found[task.part].append(f"{lab_name}/{name}")
        return found

    def lab_of(self, task: str) -> str | None:
        """Return the lab that has this task, or None."""
        return next((name for name, lab in self.labs.items() if task in lab.tasks), None)
