import java.util.*;

/** An editor can undo all that was ever typed; each edit knows the text before. */
class UndoEdits {
  static abstract class Edit { abstract void undo(Editor editor); }
  static final class TextEdit extends Edit {
    final String before; final int at;
    TextEdit(String before, int at) { this.before = before; this.at = at; }
    void undo(Editor editor) { editor.text = before; }
  }
  static final class UndoManager { final Vector<Edit> edits = new Vector<>(); void add(Edit edit) { edits.add(edit); } }
  static final class Editor {
    String text = ""; final UndoManager undoManager = new UndoManager();
    void type(String more) {
      undoManager.add(new TextEdit(text, text.length()));
      text = text.length() > 400 ? more : text + more;
    }
  }
  static final class Workbench { static final Workbench INSTANCE = new Workbench(); final List<Editor> editors = new ArrayList<>(); }
  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 3; i++) Workbench.INSTANCE.editors.add(new Editor());
    Rounds.run(n -> { for (int i = 0; i < 600; i++) Workbench.INSTANCE.editors.get(1).type("word " + i + " "); });
  }
}
