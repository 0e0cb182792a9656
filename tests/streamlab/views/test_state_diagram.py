"""States and their transitions as a picture."""

from xml.etree import ElementTree

from streamlab.views.state_diagram import Arrow, state_diagram, states_in_words

PLACES = {"sent": (0, 0), "lost & found": (1, 0), "done": (1, 1)}
ARROWS = [
    Arrow("sent", "sent", "wait"),
    Arrow("sent", "lost & found", "fault"),
    Arrow("lost & found", "sent", "retry"),
    Arrow("lost & found", "done", "receipt"),
]


def test_each_state_has_a_box_and_each_transition_an_arrow_with_its_label() -> None:
    drawn = ElementTree.fromstring(state_diagram("A letter", PLACES, ARROWS))

    tag = "{http://www.w3.org/2000/svg}"
    texts = [text.text for text in drawn.iter(f"{tag}text")]
    assert texts == ["sent", "lost & found", "done", "wait", "fault", "retry", "receipt"]
    assert len([path for path in drawn.iter(f"{tag}path") if path.get("class") == "edge"]) == len(ARROWS)


def test_opposite_arrows_do_not_lie_on_each_other() -> None:
    drawn = state_diagram("A letter", PLACES, ARROWS[1:3])

    there, back = (part.split('"')[1] for part in drawn.split('class="edge" d=')[1:])
    assert there.split()[-1] != back.split()[-1]


def test_the_alt_text_names_every_transition() -> None:
    assert states_in_words("A letter", ARROWS[:2]) == "A letter. sent to sent: wait; sent to lost & found: fault."
