import java.util.*;
import java.util.concurrent.ConcurrentHashMap;

/** Rooms of a chat open, fill and close. In the evening there are more of them. */
class OkRushRooms {
  static class Member {
    final UUID id; final String nick; final byte[] frame = new byte[64];
    Member(UUID id, String nick) { this.id = id; this.nick = nick; }
  }
  static class Room {
    final String name; final int closes; final Map<UUID, Member> members = new HashMap<>(); final Deque<String> last = new ArrayDeque<>();
    Room(String name, int closes) { this.name = name; this.closes = closes; }
    void say(Member member, String text) { if (last.size() == 10) last.poll(); last.add(member.nick + ": " + text); }
  }
  static class Chat {
    final Map<String, Room> rooms = new ConcurrentHashMap<>();
    void close(int now) { rooms.values().removeIf(room -> room.closes <= now); }
  }
  static final Chat CHAT = new Chat();

  public static void main(String[] args) throws Exception {
    Random random = new Random(5);
    int[] perHour = {4, 8, 15, 23};
    int[] now = {0};
    Rounds.run(n -> {
      for (int hour = 0; hour < 40; hour++) {
        now[0]++;
        for (int k = 0; k < perHour[n]; k++) {
          Room room = new Room("room-" + Integer.toString(random.nextInt(1 << 28), 36), now[0] + 4 + random.nextInt(8));
          CHAT.rooms.put(room.name, room);
          for (int m = 0; m < 8; m++) {
            Member member = new Member(new UUID(random.nextLong(), random.nextLong()), "guest" + random.nextInt(100_000));
            room.members.put(member.id, member);
            room.say(member, "hello, it is " + now[0] + " and I am number " + m);
          }
        }
        CHAT.close(now[0]);
      }
    });
  }
}
