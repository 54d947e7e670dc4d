"""What the tests of the commands share: a run to its end, and the line with which a command refuses something."""
import pytest

from demos.training import Run


def finished(run: Run) -> Run:
    for _ in run.train():
        pass
    return run


def refused(main, capsys, *options: str) -> str:
    """The one line with which a command refuses its options."""
    with pytest.raises(SystemExit) as stopped:
        main(list(options))
    message = capsys.readouterr().err
    assert stopped.value.code == 2 and message.count("\n") == 1
    return message
