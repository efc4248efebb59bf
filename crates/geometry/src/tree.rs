//! Broad phase: a dynamic tree of axis-aligned boxes.

use crate::Aabb;

const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
struct Node {
    bounds: Aabb,
    parent: u32,
    /// Both `NONE` in a leaf; in a free node the first one links to the next free node.
    children: [u32; 2],
    /// The item of a leaf.
    item: u32,
}

impl Node {
    fn is_leaf(&self) -> bool {
        self.children[1] == NONE
    }
}

/// A binary tree over boxes of items, which are small integers.
///
/// Boxes are put in grown ('fat') by the caller, so that an item that moves a little stays where it is. Building splits at
/// the median of the longest axis; an item that leaves its box is taken out and put in again where it enlarges the tree
/// least. All of it is a function of the sequence of calls alone.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    leaf_of: Vec<u32>,
    root: Option<u32>,
    free: Option<u32>,
    stack: Vec<(u32, u32)>,
    /// Items put in since the last build.
    put_in: usize,
}

impl Tree {
    /// A tree over items `0..boxes.len()`.
    pub fn build(boxes: &[Aabb]) -> Self {
        let mut tree = Self::default();
        tree.rebuild(boxes);
        tree
    }

    /// Starts over with items `0..boxes.len()`, keeping the memory.
    pub fn rebuild(&mut self, boxes: &[Aabb]) {
        self.nodes.clear();
        self.leaf_of.clear();
        self.leaf_of.resize(boxes.len(), NONE);
        self.free = None;
        self.put_in = 0;
        let mut items: Vec<u32> = (0..boxes.len() as u32).collect();
        self.root = (!items.is_empty()).then(|| self.subtree(boxes, &mut items, NONE));
    }

    fn subtree(&mut self, boxes: &[Aabb], items: &mut [u32], parent: u32) -> u32 {
        let at = self.nodes.len() as u32;
        if let [item] = *items {
            self.leaf_of[item as usize] = at;
            self.nodes.push(Node {
                bounds: boxes[item as usize],
                parent,
                children: [NONE; 2],
                item,
            });
            return at;
        }
        let centre = |&item: &u32| boxes[item as usize].centre();
        let spread = Aabb::around(items.iter().map(centre)).extent();
        let axis = if spread.x >= spread.y.max(spread.z) {
            0
        } else if spread.y >= spread.z {
            1
        } else {
            2
        };
        let middle = items.len() / 2;
        items.select_nth_unstable_by(middle, |i, j| {
            centre(i)[axis].total_cmp(&centre(j)[axis]).then(i.cmp(j))
        });
        self.nodes.push(Node {
            bounds: Aabb::EMPTY,
            parent,
            children: [NONE; 2],
            item: NONE,
        });
        let (low, high) = items.split_at_mut(middle);
        let children = [self.subtree(boxes, low, at), self.subtree(boxes, high, at)];
        let bounds = self
            .bounds_of(children[0])
            .union(&self.bounds_of(children[1]));
        let node = &mut self.nodes[at as usize];
        node.children = children;
        node.bounds = bounds;
        at
    }

    fn bounds_of(&self, node: u32) -> Aabb {
        self.nodes[node as usize].bounds
    }

    /// The box of an item as it was put in; None for an item that is not in the tree.
    pub fn bounds(&self, item: u32) -> Option<&Aabb> {
        let leaf = *self.leaf_of.get(item as usize)?;
        self.nodes.get(leaf as usize).map(|node| &node.bounds)
    }

    /// Whether so many items were put in one by one that building anew pays.
    pub fn is_worn(&self) -> bool {
        self.put_in > self.leaf_of.len()
    }

    /// Puts an item in, or moves it to a new box.
    pub fn put(&mut self, item: u32, bounds: Aabb) {
        self.remove(item);
        if self.leaf_of.len() <= item as usize {
            self.leaf_of.resize(item as usize + 1, NONE);
        }
        self.put_in += 1;
        let leaf = self.new_node(Node {
            bounds,
            parent: NONE,
            children: [NONE; 2],
            item,
        });
        self.leaf_of[item as usize] = leaf;
        let Some(root) = self.root else {
            self.root = Some(leaf);
            return;
        };
        let sibling = self.best_sibling(root, &bounds);
        let old_parent = self.nodes[sibling as usize].parent;
        let parent = self.new_node(Node {
            bounds: self.bounds_of(sibling).union(&bounds),
            parent: old_parent,
            children: [sibling, leaf],
            item: NONE,
        });
        self.nodes[sibling as usize].parent = parent;
        self.nodes[leaf as usize].parent = parent;
        self.replace_child(old_parent, sibling, parent);
        self.refit(old_parent);
    }

    /// Descends to where a new box adds the least surface, counting that of all ancestors.
    fn best_sibling(&self, root: u32, bounds: &Aabb) -> u32 {
        let mut at = root;
        loop {
            let node = &self.nodes[at as usize];
            if node.is_leaf() {
                return at;
            }
            let joined = node.bounds.union(bounds).half_surface();
            let inherited = joined - node.bounds.half_surface();
            let cost = |child: u32| {
                let child = &self.nodes[child as usize];
                let grown = child.bounds.union(bounds).half_surface();
                let own = if child.is_leaf() {
                    0.0
                } else {
                    child.bounds.half_surface()
                };
                grown - own + inherited
            };
            let costs = node.children.map(cost);
            if joined < costs[0] && joined < costs[1] {
                return at;
            }
            at = node.children[usize::from(costs[1] < costs[0])];
        }
    }

    /// Takes an item out; does nothing if it is not in the tree.
    pub fn remove(&mut self, item: u32) {
        let Some(&leaf) = self.leaf_of.get(item as usize) else {
            return;
        };
        if leaf == NONE {
            return;
        }
        self.leaf_of[item as usize] = NONE;
        let parent = self.nodes[leaf as usize].parent;
        self.recycle(leaf);
        if parent == NONE {
            self.root = None;
            return;
        }
        let Node {
            children,
            parent: above,
            ..
        } = self.nodes[parent as usize];
        let sibling = children[usize::from(children[0] == leaf)];
        self.nodes[sibling as usize].parent = above;
        self.recycle(parent);
        self.replace_child(above, parent, sibling);
        self.refit(above);
    }

    fn replace_child(&mut self, parent: u32, old: u32, new: u32) {
        if parent == NONE {
            self.root = Some(new);
            return;
        }
        let children = &mut self.nodes[parent as usize].children;
        children[usize::from(children[0] != old)] = new;
    }

    fn refit(&mut self, mut at: u32) {
        while at != NONE {
            let Node {
                children, parent, ..
            } = self.nodes[at as usize];
            let bounds = self
                .bounds_of(children[0])
                .union(&self.bounds_of(children[1]));
            self.nodes[at as usize].bounds = bounds;
            at = parent;
        }
    }

    fn new_node(&mut self, node: Node) -> u32 {
        match self.free {
            Some(at) => {
                let next = self.nodes[at as usize].children[0];
                self.free = (next != NONE).then_some(next);
                self.nodes[at as usize] = node;
                at
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
        }
    }

    fn recycle(&mut self, at: u32) {
        self.nodes[at as usize].children = [self.free.unwrap_or(NONE), NONE];
        self.free = Some(at);
    }

    /// Visits the items whose boxes overlap a box, in no particular but a fixed order.
    pub fn query(&mut self, bounds: &Aabb, mut visit: impl FnMut(u32)) {
        self.stack.clear();
        self.stack.extend(self.root.map(|root| (root, NONE)));
        while let Some((at, _)) = self.stack.pop() {
            let node = &self.nodes[at as usize];
            if !node.bounds.overlaps(bounds) {
                continue;
            }
            if node.is_leaf() {
                visit(node.item);
            } else {
                let [low, high] = node.children;
                self.stack.push((high, NONE));
                self.stack.push((low, NONE));
            }
        }
    }

    /// Visits every pair of items whose boxes overlap once, in no particular but a fixed order.
    pub fn self_pairs(&mut self, mut visit: impl FnMut(u32, u32)) {
        self.stack.clear();
        self.stack.extend(self.root.map(|root| (root, root)));
        while let Some((i, j)) = self.stack.pop() {
            let (p, q) = (&self.nodes[i as usize], &self.nodes[j as usize]);
            if i == j {
                if !p.is_leaf() {
                    let [low, high] = p.children;
                    self.stack.extend([(low, high), (high, high), (low, low)]);
                }
                continue;
            }
            if !p.bounds.overlaps(&q.bounds) {
                continue;
            }
            match (p.is_leaf(), q.is_leaf()) {
                (true, true) => visit(p.item, q.item),
                (true, false) => self.stack.extend(q.children.map(|child| (i, child))),
                (false, true) => self.stack.extend(p.children.map(|child| (child, j))),
                (false, false) if p.bounds.half_surface() >= q.bounds.half_surface() => {
                    self.stack.extend(p.children.map(|child| (child, j)));
                }
                (false, false) => self.stack.extend(q.children.map(|child| (i, child))),
            }
        }
    }
}
